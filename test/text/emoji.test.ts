import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { emojiByName, emojiData, extraEmoji, isValidEmoji, nameOfEmojiCode } from '../../server/text/emoji.js'
import { renderAtOnce } from '../../server/text/markdown.js'
import { someNames } from './some-names.js'

const html = (text: string) => renderAtOnce(text, someNames).html

t.test('emoji have the names that clients send', async t => {
  const expected = {
    '+1': '1f44d',
    thumbs_up: '1f44d',
    '-1': '1f44e',
    octopus: '1f419',
    heart: '2764',
    tada: '1f389',
    smile: '1f642',
    big_smile: '1f604',
    working_on_it: '1f6e0',
    check: '2705',
    cross_mark: '274c',
    jolly_roger: '1f3f4-200d-2620',
    joy: '1f602',
    rocket: '1f680',
    eyes: '1f440',
    wave: '1f44b',
    flag_germany: '1f1e9-1f1ea',
    hash: '0023-20e3',
  }
  for (const [name, code] of Object.entries(expected)) {
    t.same(emojiByName(name), { emoji_code: code }, name)
    t.equal(isValidEmoji(name, code), true, name)
  }
  t.equal(nameOfEmojiCode('1f44d'), '+1')
})

t.test('a name that no emoji has is unknown', async t => {
  for (const name of ['', 'no_such_emoji', 'constructor', '__proto__', 'Octopus', ':octopus:', 'thumbsup_tone1']) {
    t.equal(emojiByName(name), undefined, name)
  }
  t.equal(nameOfEmojiCode('41'), undefined)
  t.equal(nameOfEmojiCode('2764-fe0f'), undefined)
})

t.test('a name goes only with its own code', async t => {
  t.equal(isValidEmoji('octopus', '1f44d'), false)
  t.equal(isValidEmoji('nothing', '1f44d'), false)
  t.equal(isValidEmoji('octopus', ''), false)
  t.equal(isValidEmoji('smile', '1f604'), false)
})

t.test('the data for clients leads from each code to its names and back', async t => {
  const { code_to_names } = emojiData()
  const entries = Object.entries(code_to_names)
  t.ok(entries.length > 1500)
  t.ok(entries.every(([code]) => /^[0-9a-f]{4,5}(-[0-9a-f]{4,5})*$/.test(code) && !code.includes('fe0f')))
  t.ok(
    entries.every(([code, names]) => names.length > 0 && names.every(name => emojiByName(name)?.emoji_code === code)),
  )
})

t.test('the extra emoji carries the brand', async t => {
  const expected = { emoji_name: 'service', emoji_code: 'service', reaction_type: 'service_extra_emoji' }
  t.same(extraEmoji('service'), expected)
})

t.test('a name in colons is an emoji in a message', async t => {
  const smile = '<span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>'
  t.equal(html('hi :smile:'), `<p>hi ${smile}</p>`)
  t.match(html(':thumbs_up:'), 'title="thumbs up">:thumbs_up:<')
})

t.test('an emoji character has the same shape', async t => {
  t.match(html('🐙'), 'class="emoji emoji-1f419" role="img" title="octopus">:octopus:</span>')
  t.match(html('❤️'), 'emoji-2764"')
  t.match(html('🏳️‍🌈'), 'emoji-1f3f3-200d-1f308"')
  t.match(html('👨‍👩‍👧'), 'emoji-1f468-200d-1f469-200d-1f467"')
  t.match(html('指 :指:'), '<p>指 <span aria-label="指"')
  t.match(html('1️⃣'), 'emoji-0031-20e3"')
  t.match(html('🇩🇪'), 'emoji-1f1e9-1f1ea"')
})

t.test("an organization's own emoji is a picture", async t => {
  const expected = '<img alt=":party_blob:" class="emoji" src="/user_avatars/2/emoji/12.png" title="party blob">'
  t.equal(html(':party_blob:'), `<p>${expected}</p>`)
})

t.test('everything else between colons stays text', async t => {
  for (const text of [
    ':no_such:',
    '12:30:45',
    ': smile:',
    ':smile',
    '`:smile:`',
    ':Smile:',
    '::',
    'a:b',
    ':constructor:',
  ]) {
    t.notMatch(html(text), 'emoji', text)
  }
  t.equal(html('👍🏽'), '<p>👍🏽</p>', 'clients have no pictures for skin tones')
})

t.test('a character that is text by default stays text', async t => {
  for (const text of ['❤', '☺', '©', '↔', '1', '#', '1⃣', '™', '‼', 'é', '\ud83d', '👍🏽‍👍🏽']) {
    t.equal(html(text === '1' || text === '#' ? `a${text}` : text).includes('<span'), false, text)
  }
})

t.test('the text of a link has no emoji', async t => {
  t.equal(html('[:smile: 🐙](https://a.org)'), '<p><a href="https://a.org">:smile: 🐙</a></p>')
})

t.test('emoticons become emoji for those who want it', async t => {
  const names = { ...someNames, translatesEmoticons: true }
  const shown = (text: string) =>
    Array.from(renderAtOnce(text, names).html.matchAll(/title="([^"]*)"/g), ([, title]) => title)
  const all = ':) (: :( <3 :| :/ ;) :D :o :O :p :P'
  t.same(shown(all), [
    ...['smile', 'smile', 'frown', 'heart', 'neutral', 'confused', 'wink', 'grinning', 'open mouth', 'open mouth'],
    ...['stuck out tongue', 'stuck out tongue'],
  ])
  t.same(shown('(:D), **:(** *x :D*\n;)'), ['grinning', 'frown', 'grinning', 'wink'])
  t.same(renderAtOnce(all, someNames).html, `<p>${all.replace('<', '&lt;')}</p>`)
  for (const text of [
    'a:)',
    ':)a',
    '`:)`',
    '[:)](https://a.org)',
    'https://a.org/:)',
    '$$:)$$',
    ':-)',
    ':smile::)',
    '12:)',
  ]) {
    t.same(
      shown(text).filter(title => title !== 'smile' || !text.includes(':smile:')),
      [],
      text,
    )
  }
})

t.test('a message shows so many emoji as pictures, and the rest as text', async t => {
  const most = budgets.emojiShown.most
  const shown = renderAtOnce(':o: '.repeat(most + 5), someNames).html
  t.equal(shown.match(/class="emoji/g)?.length, most)
  t.match(shown, /:o:<\/span> :o: :o: :o: :o: :o:<\/p>$/)
})
