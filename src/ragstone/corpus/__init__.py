"""Files to documents, documents to chunks.

documents = read_corpus("handbook/")            # .txt .md .jsonl .jsonl.gz .csv .html .pdf
passages = chunk_documents(documents)           # 512 tokens, 50 of overlap, whole sentences
"""

from ragstone.corpus.chunking import chunk_documents
from ragstone.corpus.document import Document
from ragstone.corpus.reading import iter_corpus, read_corpus

__all__ = ["Document", "chunk_documents", "iter_corpus", "read_corpus"]
