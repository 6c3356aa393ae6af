# clawgit in a small image, not as root: docker run --rm -v ~/.openclaw/workspace:/workspace clawgit status
# It has not been built where it was written: no daemon ran there.
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN pip install --no-cache-dir build && python -m build --wheel --outdir /dist

FROM python:3.13-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 clawgit \
    && mkdir /workspace && chown clawgit:clawgit /workspace
COPY --from=build /dist/*.whl /tmp/
RUN pip install --no-cache-dir "$(echo /tmp/clawgit-*.whl)[postgres,openclaw,purge]" && rm /tmp/*.whl
USER clawgit
ENV CLAWGIT_WORKSPACE=/workspace
VOLUME /workspace
# `mcp` serves agents over stdin and stdout, `schedule run` does the daily work; any command of clawgit goes.
ENTRYPOINT ["clawgit"]
CMD ["status"]
