"""Identifiers in technical prose: CWE-89, CVE-2021-44228, TLS 1.2, AES-256-GCM, SHA-256, ISO 27001, RFC 6749, 10.0.0.1.

An identifier is a name that ends in, or contains, a number or a fixed code; its number is never a quantity.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Identifier", "find_identifiers"]


@dataclass(frozen=True, slots=True)
class Identifier:
    """``key`` is the identifier in one form (upper case, single spaces, "TLSv1.2" as "TLS 1.2")."""

    start: int
    end: int
    text: str
    family: str
    """``weakness``, ``standard``, ``protocol``, ``algorithm``, ``attribute``, ``address``, ``version`` or ``code``."""
    key: str


_PROTOCOLS = r"TLS|SSL|DTLS|HTTP|SMB|SNMP|OAuth|OpenID Connect|SAML|WPA|IPv|USB|Bluetooth|SSH|IKE|PCIe?|NFS"
_STANDARDS = r"ISO(?:/IEC)?|IEC|RFC|NIST SP|SP|FIPS|PCI DSS|IEEE|EN|ANSI|ASVS|OWASP|DO|MIL-STD|BCP|FDA|EC|EU"
_PRODUCTS = r"Python|Java|PHP|Node(?:\.js)?|Windows|Ubuntu|Debian|Android|iOS|macOS|Linux|OpenSSL|Log4j|Django|Rails|Struts|jQuery|Spring|MySQL|PostgreSQL|Kubernetes|Docker|Rust|Ruby|Perl|\.NET|C\+\+"  # noqa: E501
_OPEN = r"(?<![\w/.-])"
_FAMILIES: tuple[tuple[str, str], ...] = (
    (
        "weakness",
        rf"{_OPEN}(?:CWE-\d+|CVE-\d{{4}}-\d{{4,}}|CAPEC-\d+|GHSA(?:-[0-9a-z]{{4}}){{3}}|A\d\d:20\d\d)(?![\w-])",
    ),
    ("attribute", rf"{_OPEN}SameSite ?= ?(?:Strict|Lax|None)\b"),
    (
        "algorithm",
        rf"{_OPEN}(?:AES(?:-(?:128|192|256))?(?:-(?:GCM|CBC|ECB|CTR|CCM|SIV|XTS))?|(?:HMAC-)?SHA(?:-?[123])?(?:-?(?:1|224|256|384|512))?"
        r"|HMAC-MD5|MD[245]|RSA(?:-(?:OAEP|PSS|PKCS1v15))?(?:-\d{3,4})?|(?:3|Triple)?DES(?:-(?:ECB|CBC))?|3DES|RC[245]|Blowfish"
        r"|X?ChaCha20(?:-Poly1305)?|Ed25519|Ed448|X25519|secp256[kr]1|P-(?:192|224|256|384|521)|ECDSA|ECDHE?|DHE|DSA"
        r"|Argon2(?:id|i|d)?|bcrypt|scrypt|PBKDF2(?:-HMAC-SHA-?\d+)?|HKDF|CRC-?32|Base64|ROT13|HS(?:256|384|512)|[RE]S(?:256|384|512))"
        r"(?![\w]|-\w)",
    ),
    ("protocol", rf"{_OPEN}(?:{_PROTOCOLS})(?:[ /]?v?)\d+(?:\.\d+)*(?![\w]|\.\d)"),
    ("standard", rf"{_OPEN}(?:{_STANDARDS})[ -](?:[A-Z]+[ -]?)?\d+(?:\.\d+)*(?:-\d+[A-Z]?)?(?::\d{{4}})?(?![\w]|\.\d)"),
    ("version", rf"{_OPEN}(?:{_PRODUCTS}) v?\d+(?:\.\d+)*(?:\.x)?(?![\w])"),
    ("address", r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?(?![\w]|\.\d)"),
    ("version", r"(?<![\w.])v?(?!\d{1,3}(?:\.\d{3}){2,}(?![.\d]))\d+\.\d+\.\d+(?:[-+][\w.]+)?(?![\w]|\.\d)"),
    ("version", r"(?<![\w.])v\d+(?:\.\d+)+(?!\w)"),
    ("code", rf"{_OPEN}(?:[A-Z]{{1,6}}-\d{{1,4}}[A-Z]?|[A-Z]{{1,4}}\d{{1,4}}[A-Z]?(?:\d+[A-Z]?)?)(?![\w]|[-.]\d)"),
)
_COMPILED = tuple((family, re.compile(pattern)) for family, pattern in _FAMILIES)
_VERSIONED = re.compile(r"^(.*?[A-Za-z+])[ /-]?v?(\d.*)$")


def find_identifiers(text: str) -> tuple[Identifier, ...]:
    """All identifiers of ``text``, in order, none overlapping another. Never raises."""
    found: list[Identifier] = []
    for family, pattern in _COMPILED:
        for match in pattern.finditer(text):
            start, end = match.span()
            if _is_ambiguous(match[0]) or any(start < other.end and other.start < end for other in found):
                continue
            found.append(Identifier(start, end, match[0], family, _key(family, match[0])))
    return tuple(sorted(found, key=lambda identifier: identifier.start))


def _is_ambiguous(written: str) -> bool:
    # "SHA" and "DES" without a number are kept; a currency amount such as "US5" or a bare "I5" is not a code.
    return written in ("A1", "EU", "EC") or written.startswith(("USD", "EUR", "GBP", "AD", "BC", "CE"))


def _key(family: str, written: str) -> str:
    if family == "protocol" and (match := _VERSIONED.match(written)):
        return f"{match[1].strip().upper()} {match[2]}"
    return " ".join(written.upper().replace(" = ", "=").split())
