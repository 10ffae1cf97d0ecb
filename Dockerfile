FROM node:24.21.0-trixie-slim@sha256:173f125896c3b47ddf056734c7ea789d04595a6a08769a8f78e0df642781fb66 AS build
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The pages contain the site's URL and the address that their forms post to, so both are set at build time.
ARG SITE_URL
ARG NEWSLETTER_ENDPOINT
ARG HSTS_SUBDOMAINS
RUN node tools/build/build.ts
# Publishing from the desk needs the production packages and every font that the owner may choose.
RUN mv node_modules/@fontsource-variable /fonts \
    && npm prune --omit=dev \
    && rm -rf node_modules/node-linux-* node_modules/@fontsource-variable \
    && mv /fonts node_modules/@fontsource-variable

FROM node:24.21.0-trixie-slim@sha256:173f125896c3b47ddf056734c7ea789d04595a6a08769a8f78e0df642781fb66
ARG SITE_URL
ARG NEWSLETTER_ENDPOINT
ARG HSTS_SUBDOMAINS
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    PRIVATE_DIR=/data/private \
    SITE_URL=${SITE_URL} \
    NEWSLETTER_ENDPOINT=${NEWSLETTER_ENDPOINT} \
    HSTS_SUBDOMAINS=${HSTS_SUBDOMAINS}
WORKDIR /site
# pg_dump and pg_restore in the database's version: backups and `restore-backup` run them.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates postgresql-common \
    && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
    && apt-get install --yes --no-install-recommends postgresql-client-18 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /site/dist ./dist
COPY --from=build /site/node_modules ./node_modules
# Short names for `docker compose exec site desk`, `… subscribers …` and `… updates …`.
RUN for name in subscribers updates desk; do \
        printf '#!/bin/sh\nexec node /site/dist/server/%s.js "$@"\n' "$name" > "/usr/local/bin/$name" \
        && chmod 755 "/usr/local/bin/$name"; \
    done \
    && install --directory --owner=node --group=node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
