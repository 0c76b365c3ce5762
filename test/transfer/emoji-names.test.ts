import t from 'tap'
import { nameOfEmojiCode } from '../../server/text/emoji.js'
import { emojiCharacter, emojiCodes } from '../../server/transfer/emoji-table.js'

for (const file of ['slack/emoji-names.json', 'mattermost/emoji-names.json']) {
  t.test(`${file} leads to emoji that clients can show`, async t => {
    const codes = emojiCodes(file)
    t.ok(codes.size > 1800)
    t.same(
      [...codes.values()].filter(code => nameOfEmojiCode(code) === undefined),
      [],
    )
    t.equal(codes.get('constructor'), undefined)
  })
}

t.test('a name means the picture of its own server', async t => {
  const slack = emojiCodes('slack/emoji-names.json')
  const characters = ['football', 'heart', 'one', '+1'].map(name => emojiCharacter(slack.get(name) ?? ''))
  t.same(characters, ['🏈', '❤️', '1️⃣', '👍'])
})
