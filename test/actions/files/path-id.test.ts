import fc from 'fast-check'
import t from 'tap'
import { displayName, newPathId, storedName } from '../../../server/actions/files/path-id.js'
import { cleanName } from '../../../server/text/clean-name.js'

t.test('names that are kept', async t => {
  for (const name of [
    'a.png',
    'Zürich  plan (2).tar.gz',
    '.gitignore',
    '漢字.pdf',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}.jpg',
  ]) {
    t.equal(displayName(name), name)
  }
  t.equal(displayName('می\u200cخواهم.txt'), 'می\u200cخواهم.txt', 'a non-joiner that changes how a word is read')
})

t.test('names that show nothing, or something else than they are', async t => {
  for (const name of [
    '',
    ' ',
    '.',
    '..',
    '. . .',
    '\u200b',
    '\u2060\ufeff',
    '\u00ad',
    '\u3164',
    '\u115f\u1160',
    '\uffa0',
    '\u2800',
  ]) {
    t.equal(displayName(name), 'uploaded-file', JSON.stringify(name))
    t.match(newPathId(displayName(name)), /\/uploaded-file$/)
  }
  t.equal(displayName('\u0301'), 'uploaded-file', 'a mark without its letter')
  t.equal(displayName('\u200b.png'), 'uploaded-file.png')
  t.equal(displayName('evil\u202egnp.exe'), 'evilgnp.exe')
  t.equal(displayName('a\u2066b\u2069\u200f.txt'), 'ab.txt')
  t.equal(displayName('a\u2028b\u0007.txt'), 'ab.txt')
  t.equal(storedName('\u2026'), 'uploaded-file', 'an ellipsis becomes three dots')
})

t.test('every name can be seen, has no direction of its own, and fits into a header and a path', async t => {
  const odd = fc.constantFrom(
    '\u200b',
    '\u202e',
    '\u3164',
    '\u2800',
    '\u0301',
    '.',
    ' ',
    '/',
    '\\',
    '\0',
    '\n',
    '\ud800',
    '漢',
    'a',
  )
  const names = fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ unit: odd, maxLength: 40 }))
  const check = () =>
    fc.assert(
      fc.property(names, given => {
        const name = displayName(given)
        const stored = newPathId(name).split('/').at(-1) ?? ''
        return (
          cleanName(name) !== '' &&
          [...name].length <= 268 &&
          !/[/\\\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name) &&
          !/^\.*$/.test(name) &&
          /^[\p{L}\p{N}\p{M}_.-]+$/u.test(stored) &&
          !/^\.*$/.test(stored) &&
          Buffer.byteLength(stored) <= 200
        )
      }),
      { numRuns: 2000 },
    )
  t.doesNotThrow(check)
})
