#!/bin/sh
# Dump the PostgreSQL of Mulkko into DATA_DIR/backups, where the farm API watches the age of the newest dump.
#
#   backup.sh          one dump, now: for cron, as the user that runs the farm API
#   backup.sh --stay   one a day, at 03:27 or later: the service "backup" of docker-compose.yml
#
# Needs DATABASE_URL, DATA_DIR and the tools of PostgreSQL in the server's version or a newer one.
set -eu
umask 077
folder="$DATA_DIR/backups"
DAY_MINUTES=1440

dump() {
  mkdir -p -m 700 "$folder"
  cd "$folder"
  rm -f mulkko-*.part
  name="mulkko-$(date -u +%Y-%m-%dT%H%MZ).dump"
  pg_dump --format=custom --file="$name.part" "$DATABASE_URL"
  # Reads all of it back.
  pg_restore --file=/dev/null "$name.part"
  mv "$name.part" "$name"
  for part in images profiles; do
    [ ! -d "$DATA_DIR/$part" ] || tar -czf "${name%.dump}.$part.tar.gz" -C "$DATA_DIR" "$part"
  done
  # The last seven stay.
  ls -1t mulkko-*.dump | tail -n +8 | while read -r old; do rm -f "${old%.dump}".*; done
  echo "stored $folder/$name"
}

is_due() {
  [ -z "$(find "$folder" -name 'mulkko-*.dump' -mmin "-$1" 2>/dev/null | head -n 1)" ]
}

[ "${1-}" = --stay ] || { dump; exit; }

# A process of its own: within a condition a shell does not stop at the first error.
try() {
  sh "$0" || echo "the backup failed; the next attempt is in 15 minutes" >&2
}
trap 'exit 0' TERM INT
while :; do
  # A day old at night, or two hours more at any time.
  if [ "$(date +%H%M)" -ge 0327 ] && [ "$(date +%H)" -lt 06 ] && is_due "$((DAY_MINUTES - 240))"; then
    try
  elif is_due "$((DAY_MINUTES + 120))"; then
    try
  fi
  sleep 900 &
  wait $!
done
