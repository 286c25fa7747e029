# The image of web server, workers and commands (docs/deploy.md, Containers).
#
# Base images are pinned by tag. Pin them by digest where a registry can be asked:
#   docker buildx imagetools inspect python:3.13.9-slim-bookworm
ARG PYTHON=python:3.13.9-slim-bookworm

FROM ${PYTHON} AS build
# `true` adds what runs models in the worker's process (PyTorch and transformers; llama.cpp), or what reaches a bucket.
ARG NEURAL=false
ARG GGUF=false
ARG S3=false
ARG PROVIDERS=false
# A further index: PyTorch's own has a wheel of torch for processors alone, a tenth of the usual one.
ARG PIP_EXTRA_INDEX_URL
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# hadolint ignore=DL3008
RUN if [ "$GGUF" = true ]; then \
      apt-get update && apt-get install -y --no-install-recommends cmake g++ make && rm -rf /var/lib/apt/lists/*; \
    fi
RUN python -m venv /venv
ENV PATH=/venv/bin:$PATH
WORKDIR /src
COPY requirements.txt requirements-neural.txt requirements-torch.txt requirements-gguf.txt requirements-s3.txt \
     requirements-providers.txt ./
RUN pip install --require-hashes --requirement requirements.txt \
    && if [ "$S3" = true ]; then pip install --require-hashes --requirement requirements-s3.txt; fi \
    && if [ "$PROVIDERS" = true ]; then pip install --require-hashes --requirement requirements-providers.txt; fi
RUN if [ "$NEURAL" = true ]; then \
      pip install --require-hashes --requirement requirements-neural.txt \
      && pip install --requirement requirements-torch.txt; \
    fi
RUN if [ "$GGUF" = true ]; then \
      CMAKE_ARGS="-DLLAVA_BUILD=OFF -DGGML_NATIVE=OFF" pip install --require-hashes --requirement requirements-gguf.txt; \
    fi

FROM ${PYTHON}
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 DATA_DIR=/data DEBUG=false
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin touchstone \
    && install --directory --owner touchstone --group touchstone --mode 0700 /data
COPY --from=build /venv /venv
WORKDIR /app
COPY . .
# Compiled once, as the user that runs cannot write here; and the language model's files are compared with their hashes.
RUN python -m compileall -q . && python -m knowledge.english_model_files && python -m core.catalogs
USER 10001:10001
VOLUME /data
EXPOSE 8000
CMD ["gunicorn", "config.wsgi", "--config", "python:config.web_server", "--bind", "0.0.0.0:8000"]
