# syntax=docker/dockerfile:1

FROM node:24.21.0-trixie-slim AS build
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The pages hold their address and where their forms post, so both are set where they are built.
ARG SITE_URL
ARG NEWSLETTER_ENDPOINT
RUN node tools/build/build.ts

FROM node:24.21.0-trixie-slim
ARG SITE_URL
ARG NEWSLETTER_ENDPOINT
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    SITE_URL=${SITE_URL} \
    NEWSLETTER_ENDPOINT=${NEWSLETTER_ENDPOINT}
WORKDIR /site
COPY --from=build /site/dist ./dist
RUN install --directory --owner=node --group=node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The flags of tools/setup/server-flags.mjs.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=4", "dist/server/main.js"]
