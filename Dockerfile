# An image with the executable alone: no shell, no package manager, no root. docs/reach.md says how to run it.
#   npm ci && npm run executables -- linux-x64 && docker build -t loyalty-sim .
ARG BASE=gcr.io/distroless/cc-debian12:nonroot
# hadolint ignore=DL3006
FROM ${BASE}
ARG SYSTEM=linux-x64
COPY executables/loyalty-sim-${SYSTEM} /usr/local/bin/loyalty-sim
# A new volume takes over the owner of its folder, which nothing but a copy can make here.
COPY --chown=65532:65532 LICENSE /data/LICENSE
ENV LOYALTY_SIM_HOST=0.0.0.0 LOYALTY_SIM_PORT=4010
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 4010
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/usr/local/bin/loyalty-sim", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/loyalty-sim"]
CMD ["start"]
