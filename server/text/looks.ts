import unhomoglyph from 'unhomoglyph'

const asciiPrototypes = Array.from({ length: 0x80 }, (_, code) => unhomoglyph(String.fromCharCode(code)))

/**
 * Names whose skeletons are equal look alike (UTS 39, 4): without ignorable characters, each character is replaced by the one
 * that stands for all that look like it. Compatibility forms such as full-width letters count as what they stand for.
 */
export function skeleton(name: string): string {
  const spaced = name.trim().replace(/\s+/g, ' ')
  // The table's regular expression of 6,000 characters takes ten times as long.
  if (/^[ -~]*$/.test(spaced)) return spaced.replace(/./g, char => asciiPrototypes[char.charCodeAt(0)] ?? char)
  return unhomoglyph(spaced.normalize('NFKD').replace(/\p{DI}/gu, '')).normalize('NFD')
}

/**
 * What a name looks like when case does not count; names that share one of these look alike. Two, since a capital may look
 * like what its small letter does not: `AIice` like `Alice`, `ALICE` like `аlice` with a Cyrillic а.
 */
export function looksInAnyCase(name: string): readonly string[] {
  const asSpelled = skeleton(name).toLowerCase()
  const inSmall = skeleton(name.toLowerCase()).toLowerCase()
  return asSpelled === inSmall ? [asSpelled] : [asSpelled, inSmall]
}
