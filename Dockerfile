# One image for the farm API and the relay, with the built web client: the command says which it is.
#   relay   node relay/src/main.ts     (the default)
#   api     node api/src/main.ts
# It runs as the user `node`, writes into /data alone, and so works with a read-only root.

ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS pnpm
WORKDIR /mulkko
RUN npm install --global pnpm@12
COPY pnpm-lock.yaml pnpm-workspace.yaml ./

# The web client, built with everything that building needs.
FROM pnpm AS web
RUN pnpm fetch
COPY package.json ./
COPY shared/package.json shared/
COPY api/package.json api/
COPY relay/package.json relay/
COPY web/package.json web/
COPY testing/package.json testing/
COPY e2e/package.json e2e/
RUN pnpm install --frozen-lockfile --offline --filter "@mulkko/web..."
COPY tsconfig.base.json ./
COPY shared shared
COPY web web
RUN pnpm --dir web exec vite build

# What runs: no build tools, no test engines.
FROM pnpm AS production
# What was fetched for other packages stays in the store of this stage.
RUN pnpm fetch --prod && rm -rf node_modules
COPY package.json ./
COPY shared/package.json shared/
COPY api/package.json api/
COPY relay/package.json relay/
COPY web/package.json web/
COPY testing/package.json testing/
COPY e2e/package.json e2e/
RUN pnpm install --prod --frozen-lockfile --offline --filter-prod "@mulkko/api..." --filter-prod "@mulkko/relay..."

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    DATA_DIR=/data
WORKDIR /mulkko
COPY --from=production /mulkko/node_modules node_modules
COPY --from=production /mulkko/shared/node_modules shared/node_modules
COPY --from=production /mulkko/api/node_modules api/node_modules
COPY --from=production /mulkko/relay/node_modules relay/node_modules
COPY package.json LICENSE ./
COPY shared/package.json shared/
COPY shared/src shared/src
COPY api/package.json api/
COPY api/migrations api/migrations
COPY api/profiles api/profiles
COPY api/demo-data api/demo-data
COPY api/src api/src
COPY relay/package.json relay/
COPY relay/src relay/src
COPY --from=web /mulkko/web/dist web/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080 8081 1883
CMD ["node", "relay/src/main.ts"]
