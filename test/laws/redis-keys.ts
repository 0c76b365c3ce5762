import { lineOf, type Source } from './sources.js'

const home = 'server/redis/keys.ts'

/** The words that key names begin with after the prefix, as the home of the key names spells them. */
export function keyWords(keys: Source): string[] {
  const words = [...keys.text.matchAll(/`(?:\$\{\w+\}:)?([a-z]+):/g)].map(([, word]) => String(word))
  return [...new Set(words)]
}

/** One sentence for each key name outside of server/redis/keys.ts. */
export function brokenRedisKeys(sources: readonly Source[], words: readonly string[]): string[] {
  const laws: readonly (readonly [string, RegExp])[] = [
    // What a cluster places keys by stands in braces.
    ['makes a hash tag', /:\{\$\{[^}]*\}\}/g],
    ['builds on the key prefix', /\$\{[^}]*prefix[^}]*\}:/gi],
    ['spells a key name', new RegExp(`['"\`](?:${words.join('|')}):(?=[{$'"\`\\w-])`, 'g')],
    // A Function touches what it was given: only so does a cluster know where the keys lie.
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
