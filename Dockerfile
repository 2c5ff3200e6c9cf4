# docker build --tag ambit .                  the program: docker run --rm --volume "$PWD:/work" ambit check mp.litmus
# docker build --target demo .                `./dev demo`
# docker build --target test .                `./dev test`
FROM debian:12 AS tools
WORKDIR /ambit
COPY dev ./
RUN ./dev setup

FROM tools AS demo
COPY . .
RUN ./dev demo

FROM demo AS test
RUN ./dev test

FROM demo AS package
RUN ./dev package

FROM debian:12-slim
COPY --from=package /ambit/build/package/*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/*.deb && rm -rf /var/lib/apt/lists/* /tmp/*.deb
WORKDIR /work
ENTRYPOINT ["ambit"]
CMD ["--help"]
