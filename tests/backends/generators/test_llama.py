"""The embedded generator: repeatable, stoppable, quiet, and clear about what it cannot do."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from ragstone import models
from ragstone.backends import open_generator
from ragstone.backends.generators import llama_server
from ragstone.backends.generators.llama import LlamaGenerator, idle_cores
from ragstone.backends.protocols import Message, StreamingGenerator
from ragstone.errors import BackendError, InputError, MissingDependencyError, ModelError
from ragstone.generation import answer
from ragstone.settings import Settings
from ragstone.types import as_passages

ASKED = [Message("system", "Be brief."), Message("user", "Name three colours.")]
SAMPLING: dict[str, Any] = {"temperature": 0.0, "max_tokens": 6, "seed": 1}
# Seconds: a busy machine must not fail a test.
PATIENCE = 600.0
FREELY = {**SAMPLING, "temperature": 1.0}

ELSEWHERE = """
import multiprocessing, sys
from pathlib import Path
from ragstone.backends.generators.llama import LlamaGenerator
from ragstone.backends.protocols import Message

def ask(queue=None):
    text = generator.generate(asked, temperature=0.0, max_tokens=6, seed=1).text
    return queue.put(text) if queue else text

asked = [Message("system", "Be brief."), Message("user", "Name three colours.")]
generator = LlamaGenerator(Path(sys.argv[1]), identity="x", threads=2, timeout=600)
print(ask())
if sys.platform == "linux":
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=ask, args=(queue,))
    child.start()
    print(queue.get(timeout=600))
    child.join()
stream = generator.stream([Message("user", "Tell a long story.")], temperature=0.0, max_tokens=2000)
next(stream)
"""


@pytest.fixture(scope="module")
def gguf() -> Path:
    pytest.importorskip("xllamacpp", reason="the extra 'llama' is not installed")
    if models.locate("smollm2") is None:
        pytest.skip("the embedded generator is not on this machine: ragstone models fetch smollm2")
    return models.require("smollm2")


@pytest.fixture(scope="module")
def generator(gguf: Path) -> LlamaGenerator:
    return LlamaGenerator(gguf, identity="smollm2", threads=1, timeout=PATIENCE)


def small(gguf: Path, **options: Any) -> LlamaGenerator:
    return LlamaGenerator(gguf, identity="small", threads=1, **{"context": 256, "timeout": PATIENCE, **options})


@pytest.mark.generator
def test_the_same_text_again_also_in_other_processes(generator: LlamaGenerator, gguf: Path) -> None:
    texts = {generator.generate(ASKED, **SAMPLING).text for _ in range(2)}
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ELSEWHERE, str(gguf)], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert {text for text in run.stdout.split("\n") if text} == {line for text in texts for line in text.split("\n")}
    assert len(texts) == 1


@pytest.mark.generator
def test_a_seed_fixes_what_is_drawn(generator: LlamaGenerator) -> None:
    texts = [generator.generate(ASKED, **{**FREELY, "seed": seed}).text for seed in (1, 2, 1)]
    assert texts[0] == texts[2]
    assert texts[0] != texts[1]


@pytest.mark.generator
def test_streaming_gives_the_same_text_and_can_be_left(generator: LlamaGenerator) -> None:
    assert isinstance(generator, StreamingGenerator)
    whole = generator.generate(ASKED, **SAMPLING)
    pieces = list(generator.stream(ASKED, **SAMPLING))
    assert "".join(pieces) == whole.text
    assert len(pieces) > 3
    assert whole.finish_reason == "length"
    assert whole.completion_tokens == 6
    assert whole.prompt_tokens is not None
    left = generator.stream(ASKED, **{**SAMPLING, "max_tokens": 2000})
    next(left)
    del left
    assert generator.generate(ASKED, **SAMPLING) == whole


@pytest.mark.generator
def test_a_stop_string_ends_the_answer(generator: LlamaGenerator) -> None:
    whole = generator.generate(ASKED, **SAMPLING).text
    word = whole.split()[2]
    stopped = generator.generate(ASKED, **SAMPLING, stop=[word])
    assert whole.startswith(stopped.text)
    assert word not in stopped.text
    assert stopped.finish_reason == "stop"


@pytest.mark.generator
def test_a_prompt_longer_than_the_context_is_refused(gguf: Path) -> None:
    long = [Message("user", "Where is it? " * 100)]
    refused = r"the prompt has \d{3} tokens, but small reads at most 256"
    with pytest.raises(BackendError, match=refused):
        small(gguf).generate(long, **SAMPLING)
    with pytest.raises(BackendError, match=refused):
        list(small(gguf).stream(long, **SAMPLING))


@pytest.mark.generator
def test_the_time_is_bounded_and_the_model_usable_after(gguf: Path, generator: LlamaGenerator) -> None:
    with pytest.raises(BackendError, match=r"did not finish within 0\.01 s; raise generation\.timeout"):
        small(gguf, context=2048, timeout=0.01).generate([Message("user", "Where is it? " * 300)], **SAMPLING)
    assert generator.generate(ASKED, **SAMPLING).text


@pytest.mark.generator
def test_the_port_is_on_the_loopback_and_behind_a_key(generator: LlamaGenerator) -> None:
    generator.generate(ASKED, **{**SAMPLING, "max_tokens": 1})
    address = llama_server._process.server.listening_address
    assert address.startswith("http://127.0.0.1:")
    for path in ("/v1/models", "/props", "/slots"):
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address + path, timeout=5)


@pytest.mark.generator
def test_a_damaged_file_is_a_model_error(gguf: Path, tmp_path: Path, generator: LlamaGenerator) -> None:
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(gguf.read_bytes()[:5000])
    broken = open_generator(f"gguf:{damaged}", Settings())
    assert broken.identity.startswith("gguf:damaged.gguf@")
    with pytest.raises(ModelError, match=r"llama\.cpp cannot load .*damaged\.gguf"):
        broken.generate(ASKED, **SAMPLING)
    assert generator.generate(ASKED, **SAMPLING).text


@pytest.mark.generator
def test_it_answers_from_the_passages(gguf: Path) -> None:
    embedded = open_generator("smollm2", Settings.model_validate({"generation": {"timeout": PATIENCE}}))
    assert embedded.identity == "SmolLM2-135M-Instruct-Q4_1@b179c9523d0e"
    passages = as_passages(
        [
            "The Harrow Bridge crosses the river Lenn and opened to traffic in 1934.",
            "The Harrow Bridge was designed by the engineer Elsa Brandt, who also built the station.",
            "Tolls on the Harrow Bridge were abolished in 1971.",
        ]
    )
    assert "Elsa Brandt" in answer("Who designed the Harrow Bridge?", passages, embedded, Settings()).text


def test_no_more_threads_than_the_machine_has_to_give() -> None:
    assert idle_cores(1) == 1
    assert 1 <= idle_cores(4) <= min(4, os.cpu_count() or 1)


def test_files_that_are_no_models(tmp_path: Path) -> None:
    (tmp_path / "page.gguf").write_text("<html>")
    with pytest.raises(ModelError, match=r"page\.gguf is not a GGUF file: it begins with b'<htm'"):
        open_generator(f"gguf:{tmp_path / 'page.gguf'}", Settings())
    with pytest.raises(ModelError, match="No such file"):
        open_generator(f"gguf:{tmp_path / 'absent.gguf'}", Settings())
    with pytest.raises(InputError, match="gguf:PATH"):
        open_generator("gguf", Settings())
    with pytest.raises(InputError, match="takes no argument"):
        open_generator("smollm2:x", Settings())


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'ragstone\[llama\]'"):
        open_generator("smollm2", Settings())
    monkeypatch.setitem(sys.modules, "xllamacpp", sys)
    monkeypatch.setattr(models, "locate", lambda name: None)
    with pytest.raises(ModelError, match="ragstone models fetch smollm2"):
        open_generator("smollm2", Settings())
