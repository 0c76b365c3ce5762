import { lineOf, type Source } from './sources.js'

const home = 'server/redis/keys.ts'

/** The first words of key names after the prefix, as server/redis/keys.ts spells them. */
export function keyWords(keys: Source): string[] {
  const words = [...keys.text.matchAll(/`(?:\$\{\w+\}:)?([a-z]+):/g)].map(([, word]) => String(word))
  return [...new Set(words)]
}

/** One sentence for each key name outside of server/redis/keys.ts. */
export function brokenRedisKeys(sources: readonly Source[], words: readonly string[]): string[] {
  const laws: readonly (readonly [string, RegExp])[] = [
    // A cluster selects the slot by the part in braces.
    ['makes a hash tag', /:\{\$\{[^}]*\}\}/g],
    ['builds on the key prefix', /\$\{[^}]*prefix[^}]*\}:/gi],
    ['spells a key name', new RegExp(`['"\`](?:${words.join('|')}):(?=[{$'"\`\\w-])`, 'g')],
    // A Function may only use the keys in its arguments, because a cluster selects the node by these.
    ['names a key inside a Function', /redis\.p?call\(\s*['"](?!INFO)[A-Za-z]+['"]\s*,\s*['"][^'"]*['"]/g],
  ]
  return sources
    .filter(({ path }) => path !== home)
    .flatMap(({ path, text }) =>
      laws.flatMap(([what, pattern]) =>
        [...text.matchAll(pattern)].map(
          ({ index, 0: found }) => `${path}:${lineOf(text, index)} ${what}, ${found}: that is for ${home}`,
        ),
      ),
    )
}
