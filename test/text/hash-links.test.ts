import fc from 'fast-check'
import t from 'tap'
import { channelUrl, dmUrl, encodeHash, messageUrl, topicUrl } from '../../shared/resources/hash-links.js'

const channel = { stream_id: 4, name: 'ops room' }

t.test('places have addresses', async t => {
  t.equal(channelUrl(channel), '/#narrow/channel/4-ops-room')
  t.equal(topicUrl(channel, 'v1.2 (50%)'), '/#narrow/channel/4-ops-room/topic/v1.2E2.20.2850.25.29')
  t.equal(topicUrl(channel, ''), '/#narrow/channel/4-ops-room/topic/')
  t.equal(messageUrl(channel, 'x', 12), '/#narrow/channel/4-ops-room/topic/x/near/12')
  t.equal(dmUrl([9, 5]), '/#narrow/dm/5,9-dm')
  t.equal(dmUrl([9, 5, 7], 12), '/#narrow/dm/5,7,9-group/near/12')
})

t.test('half a surrogate pair does not break an address', async t => {
  t.equal(encodeHash('\ud83d'), '.EF.BF.BD')
})

t.test('an address holds no character with a meaning, and clients can undo it', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      const hash = encodeHash(text)
      return /^[\w.~-]*$/.test(hash) && decodeURIComponent(hash.replaceAll('.', '%')) === text
    }),
  )
})
