import unhomoglyph from 'unhomoglyph'

const asciiPrototypes = Array.from({ length: 0x80 }, (_, code) => unhomoglyph(String.fromCharCode(code)))

/**
 * Names with equal skeletons look alike (UTS 39, 4): ignorable characters are removed, and each other character is
 * replaced by the prototype of all characters that look like it. Compatibility forms such as full-width letters count
 * as their plain form.
 */
export function skeleton(name: string): string {
  const spaced = name.trim().replace(/\s+/g, ' ')
  // For ASCII this is ten times as fast as the table's regular expression of 6,000 characters.
  if (/^[ -~]*$/.test(spaced)) return spaced.replace(/./g, char => asciiPrototypes[char.charCodeAt(0)] ?? char)
  return unhomoglyph(spaced.normalize('NFKD').replace(/\p{DI}/gu, '')).normalize('NFD')
}

/**
 * The skeletons of a name without regard to case; two names that share one look alike. There are two, since a capital
 * may look like another letter than its small form: `AIice` like `Alice`, `ALICE` like `аlice` with a Cyrillic а.
 */
export function looksInAnyCase(name: string): readonly string[] {
  const asSpelled = skeleton(name).toLowerCase()
  const inSmall = skeleton(name.toLowerCase()).toLowerCase()
  return asSpelled === inSmall ? [asSpelled] : [asSpelled, inSmall]
}
