"""Fine-tune all-MiniLM-L6-v2 as a three-class NLI cross-encoder, on CPU processes or one GPU.

    python train.py --base DIR --data DIR --out DIR [--steps N] [--processes 2]

Each process takes one thread and half of every batch; gradients are averaged over gloo. A checkpoint is written every
``--save-every`` steps and picked up again when the command is repeated, at the very step: the order of batches is a
function of the seed and the step. The learning rate is flat after a warm-up and falls linearly to zero over the last
``--decay`` steps, so a run can be stopped early by repeating the command with a smaller ``--steps``.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from data import LABELS, mixture, read
from tokenizers import Tokenizer
from transformers import BertForSequenceClassification

MAX_TOKENS = 112
BUCKET = 40  # batches sorted by length together


def encode(rows: list[dict[str, str]], tokenizer: Tokenizer) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    encoded = tokenizer.encode_batch([(r["premise"], r["hypothesis"]) for r in rows])
    ids = [np.array(e.ids, dtype=np.int64) for e in encoded]
    types = [np.array(e.type_ids, dtype=np.int64) for e in encoded]
    return ids, types, np.array([LABELS.index(r["label"]) for r in rows])


def batch_order(lengths: np.ndarray, batch: int, epoch: int, seed: int) -> list[np.ndarray]:
    """Batches of like length, in random order; the same for the same epoch and seed."""
    rng = np.random.default_rng([seed, epoch])
    order = rng.permutation(len(lengths))
    batches = []
    for i in range(0, len(order), batch * BUCKET):
        chunk = order[i : i + batch * BUCKET]
        chunk = chunk[np.argsort(lengths[chunk], kind="stable")]
        batches += [chunk[j : j + batch] for j in range(0, len(chunk), batch)]
    return [batches[i] for i in rng.permutation(len(batches)) if len(batches[i]) == batch]


def tensors(index: np.ndarray, ids: list[np.ndarray], types: list[np.ndarray]) -> dict[str, torch.Tensor]:
    width = max(len(ids[i]) for i in index)
    out = {k: np.zeros((len(index), width), dtype=np.int64) for k in ("input_ids", "token_type_ids", "attention_mask")}
    for row, i in enumerate(index):
        out["input_ids"][row, : len(ids[i])] = ids[i]
        out["token_type_ids"][row, : len(ids[i])] = types[i]
        out["attention_mask"][row, : len(ids[i])] = 1
    return {k: torch.from_numpy(v) for k, v in out.items()}


def evaluate(model: torch.nn.Module, data: tuple, sources: list[str], rank: int, world: int) -> dict[str, float]:
    ids, types, labels = data
    order = np.argsort([len(x) for x in ids])[rank::world]
    right = {s: np.zeros(2) for s in sorted(set(sources))}
    model.eval()
    with torch.inference_mode():
        for i in range(0, len(order), 32):
            index = order[i : i + 32]
            logits = model(**tensors(index, ids, types)).logits
            for j, row in zip(index, logits, strict=True):
                if sources[j] == "fever_symmetric":
                    row[LABELS.index("neutral")] = -1e9
                right[sources[j]] += (int(row.argmax()) == labels[j], 1)
    model.train()
    total = torch.tensor(np.array([right[s] for s in right]))
    if world > 1:
        dist.all_reduce(total)
    return {s: round(float(t[0] / t[1]), 4) for s, t in zip(right, total, strict=True)}


def work(rank: int, args: argparse.Namespace) -> None:
    world = args.processes
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    if world > 1:
        dist.init_process_group(
            "gloo",
            init_method=f"file://{args.out.resolve()}/.rendezvous-{args.run}",
            rank=rank,
            world_size=world,
        )
    tokenizer = Tokenizer.from_file(str(args.base / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    tokenizer.no_padding()
    rows, _ = mixture(args.data, args.seed)
    ids, types, labels = encode(rows, tokenizer)
    lengths = np.array([len(x) for x in ids])
    dev, dev_sources = None, []
    if args.dev_sample:
        rng = np.random.default_rng(0)
        by_source: dict[str, list[dict[str, str]]] = {}
        for r in read(args.data / "dev.jsonl.gz"):
            by_source.setdefault(r["source"], []).append(r)
        sample = [rs[i] for rs in by_source.values() for i in rng.permutation(len(rs))[: args.dev_sample]]
        dev, dev_sources = encode(sample, tokenizer), [r["source"] for r in sample]

    model = BertForSequenceClassification.from_pretrained(
        args.base,
        num_labels=3,
        attn_implementation="sdpa",
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        id2label=dict(enumerate(LABELS)),
        label2id={n: i for i, n in enumerate(LABELS)},
    )
    model.bert.embeddings.word_embeddings.weight.requires_grad_(
        False
    )  # 12 of 23 million weights: frozen, a batch costs less
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=args.lr, weight_decay=0.01, fused=True)
    state, step = args.out / "checkpoint.pt", 0
    if state.exists():
        saved = torch.load(state, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        step = saved["step"]
    model.train()
    per_epoch = len(batch_order(lengths, args.batch, 0, args.seed))
    start, first, loss_sum = time.time(), step, 0.0
    order: list[np.ndarray] = []
    order_epoch = -1
    while step < args.steps:
        epoch, at = divmod(step, per_epoch)
        if epoch != order_epoch:
            order, order_epoch = batch_order(lengths, args.batch, epoch, args.seed), epoch
        mine = order[at][rank::world]
        factor = min(1.0, (step + 1) / args.warmup, max(0.0, (args.steps - step) / args.decay))
        for group in optimizer.param_groups:
            group["lr"] = args.lr * factor
        loss = model(**tensors(mine, ids, types), labels=torch.from_numpy(labels[mine])).loss
        loss.backward()
        if world > 1:
            flat = torch.cat([p.grad.reshape(-1) for p in trained])
            dist.all_reduce(flat)
            flat /= world
            at_ = 0
            for p in trained:
                p.grad.copy_(flat[at_ : at_ + p.numel()].view_as(p))
                at_ += p.numel()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        loss_sum += float(loss.detach())
        if rank == 0 and step % 50 == 0:
            rate = (step - first) * args.batch / (time.time() - start)
            print(
                json.dumps(
                    {
                        "step": step,
                        "epoch": round(step / per_epoch, 3),
                        "loss": round(loss_sum / 50, 4),
                        "pairs_per_s": round(rate, 1),
                    }
                ),
                flush=True,
            )
            loss_sum = 0.0
        if rank == 0 and (step % args.save_every == 0 or step == args.steps):
            temporary = state.with_suffix(".tmp")
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, temporary)
            os.replace(temporary, state)
        if dev is not None and (step % args.eval_every == 0 or step == args.steps):
            scores = evaluate(model, dev, dev_sources, rank, world)
            if rank == 0:
                print(json.dumps({"step": step, "dev_sample": scores}), flush=True)
    if rank == 0:
        model.save_pretrained(args.out / "float")
        tokenizer.save(str(args.out / "float" / "tokenizer.json"))
    if world > 1:
        dist.barrier()
        dist.destroy_process_group()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--base",
        type=Path,
        required=True,
        help="folder with the float all-MiniLM-L6-v2 and its tokenizer.json",
    )
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        help="folder with train.jsonl.gz, train_weak.jsonl.gz, dev.jsonl.gz",
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--decay", type=int, default=1500)
    parser.add_argument("--warmup", type=int, default=200)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--lr", type=float, default=1.5e-4)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--save-every", type=int, default=200)
    parser.add_argument("--eval-every", type=int, default=500)
    parser.add_argument(
        "--dev-sample",
        type=int,
        default=250,
        help="pairs of each dev set to watch (0: none); nothing is chosen by them",
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    args.run = f"{os.getpid()}-{int(time.time())}"
    if args.processes == 1:
        work(0, args)
    else:
        mp.spawn(work, (args,), nprocs=args.processes)


if __name__ == "__main__":
    main()
