# One image, two commands: `node src/api.ts` (the default) and `node src/worker.ts`.
# Node.js runs the TypeScript as it is; what is built is the bundle of the workflows, and the console for browsers.

FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The scripts of packages are not needed: they link the PostgreSQL of `npm start`.
RUN npm ci --ignore-scripts

FROM packages AS bundle
COPY scripts/bundle-workflows.ts scripts/
COPY src src
COPY workflows workflows
RUN node scripts/bundle-workflows.ts workflow-bundle.js

FROM packages AS console
COPY scripts/build-console.ts scripts/
# That of the console extends it.
COPY tsconfig.json ./
COPY console console
COPY src src
RUN node scripts/build-console.ts

FROM packages AS production-packages
# The optional ones are those of `npm start`: Node.js, PostgreSQL, the console's.
RUN npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:24.21.0-slim
WORKDIR /app
ENV NODE_ENV=production \
    NODE_OPTIONS="--disable-warning=ExperimentalWarning --max-semi-space-size=16" \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    PORT=8000 \
    WORKFLOW_BUNDLE=/app/workflow-bundle.js
COPY --from=production-packages /app/node_modules node_modules
COPY --from=bundle /app/workflow-bundle.js ./
COPY --from=console /app/console/dist console/dist
COPY package.json ./
COPY src src
COPY workflows workflows
COPY activities activities
COPY migrations migrations
COPY docs docs
# The account node, as a number: Kubernetes refuses a name where it has to be another than root.
USER 1000:1000
EXPOSE 8000
# As PID 1 without an init of its own it ends on SIGTERM all the same: both programs listen for it.
CMD ["node", "src/api.ts"]
ARG VERSION=0.2.0
ARG REVISION=
ARG SOURCE=
LABEL org.opencontainers.image.title="job-gateway" \
    org.opencontainers.image.description="A gateway that bills outcomes: api, worker and migrations" \
    org.opencontainers.image.version="$VERSION" \
    org.opencontainers.image.revision="$REVISION" \
    org.opencontainers.image.source="$SOURCE" \
    org.opencontainers.image.base.name="docker.io/library/node:24.21.0-slim"
