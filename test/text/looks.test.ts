import t from 'tap'
import { looksInAnyCase, skeleton } from '../../server/text/looks.js'

const alike = (one: string, other: string): boolean =>
  looksInAnyCase(one).some(look => looksInAnyCase(other).includes(look))

t.test('names that look the same have a look in common', async t => {
  for (const [one, other] of [
    ['general', 'g\u0435ner\u0430l'],
    ['general', 'GENERAL'],
    ['paypal', '\u0440\u0430\u0443\u0440\u0430l'],
    ['Alice', 'AIice'],
    ['ALICE', '\u0430lice'],
    ['Bob', '\u0412ob'],
    ['general', 'gen\u200beral'],
    ['general', '\uff47\uff45neral'],
    ['a b', 'a\u00a0 b'],
    ['caf\u00e9', 'cafe\u0301'],
    ['modern', 'modem'],
    ['room 1', 'room l'],
    ['\u062f\u0627', '\u062f\u200c\u0627'],
  ] as const) {
    t.ok(alike(one, other), `${one} ${other}`)
    t.ok(alike(other, one), `${other} ${one}`)
  }
})

t.test('names that differ to the eye have none', async t => {
  for (const [one, other] of [
    ['general', 'genera'],
    ['M\u00fcller', 'Muller'],
    ['room 1', 'room 2'],
    ['\u0438\u0432\u0430\u043d', 'ivan'],
    ['\u6f22\u5b57', '\u6f22\u5b50'],
    ['👍', '👎'],
  ] as const) {
    t.notOk(alike(one, other), `${one} ${other}`)
  }
})

t.test('the skeleton of ASCII is the one of the table', async t => {
  t.equal(skeleton('Im 10|m'), skeleton('Im 10|m\u200b'))
  t.equal(skeleton('m'), 'rn')
})
