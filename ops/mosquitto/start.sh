#!/bin/sh
# Makes the password file of what the environment says, and starts the broker. Devices (user: serial, password:
# device key) are lines of /mosquitto/data/devices, as `mosquitto_passwd` writes them.
set -eu
umask 077
passwords=${PASSWORDS:-/run/mosquitto/passwords}
config=${CONFIG:-/mosquitto/config/mosquitto.conf}
devices=${DEVICES:-/mosquitto/data/devices}
: > "$passwords"
if [ -f "$devices" ]; then cat "$devices" >> "$passwords"; fi
mosquitto_passwd -b "$passwords" api "$MQTT_API_PASSWORD"
mosquitto_passwd -b "$passwords" relay "$RELAY_KEY"
exec mosquitto -c "$config"
