import t from 'tap'
import { encryptPush, mostBodyBytes, overheadBytes } from '../../server/push/encrypt.js'
import { fitPush } from '../../server/push/fit.js'
import { Receiver } from '../support/push-service.js'

const bytes = (text: string) => Buffer.from(text, 'base64url')

t.test('the example of RFC 8291 gives its bytes', async t => {
  const receiver = new Receiver(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'), bytes('BTBZMqHH6r4Tts7J_aSIgg'))
  t.equal(
    receiver.p256dh.toString('base64url'),
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  )
  const text = Buffer.from('When I grow up, I want to be a watermelon')
  const body = encryptPush(text, receiver, {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  })
  t.equal(
    body.toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  t.same(receiver.decrypt(body), text)
})

t.test('a body has at most 4096 bytes, and no two are alike', async t => {
  const receiver = new Receiver()
  const most = mostBodyBytes - overheadBytes
  t.equal(encryptPush(Buffer.alloc(most), receiver).length, 4096)
  t.throws(() => encryptPush(Buffer.alloc(most + 1), receiver))
  const text = Buffer.from('hello')
  t.notSame(encryptPush(text, receiver), encryptPush(text, receiver))
  t.throws(() => new Receiver().decrypt(encryptPush(text, receiver)), 'for another receiver')
})

t.test('a content is shortened to what fits, and never inside of a character', async t => {
  const build = (content: string) => ({ content, again: content, more: 'x'.repeat(100) })
  const of = (content: string, isShort = false) => {
    const bytes = fitPush(content, build, isShort)
    return { bytes: bytes.length, content: JSON.parse(Buffer.from(bytes).toString()).content as string }
  }
  t.equal(of('short').content, 'short')
  for (const letter of ['a', 'ä', '🎈', '"', '\n']) {
    const { bytes, content } = of(letter.repeat(10_000))
    t.ok(bytes <= 4096 - overheadBytes && bytes > 3_900, `${letter}: ${bytes}`)
    t.match(content, /^(?:a+|ä+|(?:🎈)+|"+|\n+)…$/u)
    t.ok(of(letter.repeat(10_000), true).bytes <= 1_024)
  }
})
