# make        build/cairn (release)
# make demo   install what is needed, build, run an example to a picture
# make test   install what is needed, build, run the default suite
# make deb    Debian packages, in out/deb (deb-test: tries them in a fresh Debian)
# make site   all documents as a site with a search, in build/site
# docs/howto/test.md says more of asan, mutate and fuzz
JOBS := $(shell nproc 2>/dev/null || echo 2)

.PHONY: all demo test site deb deb-test validate bench asan mutate fuzz clean

all: build/CMakeCache.txt
	@cmake --build build -j $(JOBS) --target cairn

build/CMakeCache.txt:
	@cmake --preset release

demo:
	@tools/setup.sh build
	@$(MAKE) --no-print-directory all
	@tools/demo.sh build/cairn

test:
	@tools/setup.sh build test python
	@tools/setup_viewer.sh
	@cmake --preset release
	@cmake --build build -j $(JOBS)
	@ctest --test-dir build -j $(JOBS) -LE slow --output-on-failure

site:
	@python3 tools/site/build.py

deb:
	@tools/setup.sh build deb
	@nice tools/deb.sh

deb-test: deb
	@tools/setup.sh deb-test
	@tools/deb_test.sh

validate: all
	@build/cairn validate

bench: build/CMakeCache.txt
	@cmake --build build -j $(JOBS) --target bench cairn viewer-cases
	@OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=1000 build/cairn-bench # as cli/threads.c does for cairn
	@tools/bench_viewer.sh build/cairn build/tests/viewer-cases

asan:
	@tools/setup.sh build test
	@cmake --preset asan
	@cmake --build build-asan -j $(JOBS)
	@ctest --test-dir build-asan -j $(JOBS) -L 'unit|io|cli|physics' --output-on-failure

mutate:
	@tools/setup.sh build mutate
	@nice -n 19 tools/mutate

# FUZZ_RUNS inputs over all readers
fuzz:
	@tools/setup.sh build fuzz
	@FUZZ_RUNS=$${FUZZ_RUNS:-100000} nice -n 19 tools/fuzz.sh all

clean:
	@rm -rf build build-*
