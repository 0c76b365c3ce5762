import t from 'tap'
import { renderAtOnce } from '../../server/text/markdown.js'
import { someNames } from './some-names.js'

const render = (text: string) => renderAtOnce(text, someNames)
const html = (text: string) => render(text).html
const ann = '<span class="user-mention" data-user-id="5">@Ann Lee</span>'
const nobody = { userIds: [], groupIds: [], channelWildcard: false, topicWildcard: false }

t.test('a person is mentioned by name, by id or by both', async t => {
  for (const text of ['@**Ann Lee**', '@**ann lee**', '@**Ann Lee|5**', '@**|5**']) {
    t.equal(html(text), `<p>${ann}</p>`, text)
    t.same(render(text).mentions, { ...nobody, userIds: [5] }, text)
  }
  t.same(render('@**Ann Lee** @**Bo** @**|5**').mentions.userIds, [5, 6], 'each once')
})

t.test('an id settles which of two people of one name is meant', async t => {
  t.same(render('@**Same Name|8**').mentions.userIds, [8])
  t.same(render('@**Same Name**').mentions, nobody)
})

t.test('a silent mention names a user and notifies no user', async t => {
  t.equal(html('@_**Ann Lee**'), '<p><span class="user-mention silent" data-user-id="5">Ann Lee</span></p>')
  t.same(render('@_**Ann Lee** @_**all** @_*devs* @_**topic**').mentions, nobody)
})

t.test('a group is mentioned with one star', async t => {
  t.equal(html('@*devs*'), '<p><span class="user-group-mention" data-user-group-id="3">@devs</span></p>')
  t.equal(html('@_*devs*'), '<p><span class="user-group-mention silent" data-user-group-id="3">devs</span></p>')
  t.same(render('@*devs*').mentions, { ...nobody, groupIds: [3] })
})

t.test('four words mention all subscribers', async t => {
  for (const word of ['all', 'everyone', 'channel', 'stream']) {
    const expected = `<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@${word}</span></p>`
    t.equal(html(`@**${word}**`), expected)
    t.same(render(`@**${word}**`).mentions, { ...nobody, channelWildcard: true })
  }
})

t.test('those in a topic are mentioned by its word', async t => {
  t.equal(html('@**topic**'), '<p><span class="topic-mention">@topic</span></p>')
  t.same(render('@**topic**').mentions, { ...nobody, topicWildcard: true })
})

t.test('a name without a user stays text', async t => {
  for (const text of [
    '@**Nobody**',
    '@*nobodies*',
    '@**Ann Lee|6**',
    '@**|99**',
    '@**Ann**',
    '@**x|99999999999999999999**',
  ]) {
    t.notMatch(html(text), 'mention', text)
    t.same(render(text).mentions, nobody, text)
  }
})

t.test('half a mention stays text', async t => {
  for (const text of ['@Ann Lee', '@**Ann Lee', '@**Ann Lee*', '@ **Ann Lee**', '@**Ann\nLee**', '@****', '@**']) {
    t.same(render(text).mentions, nobody, text)
  }
})

t.test('an at sign within a word is no mention', async t => {
  t.same(render('mail@**Ann Lee**').mentions, nobody)
  t.same(render('(@**Ann Lee**)').mentions.userIds, [5])
})

t.test('a mention in code is none', async t => {
  for (const text of ['`@**Ann Lee**`', '```\n@**Ann Lee** @**all**\n```', '    @*devs*', '$$@*devs*$$']) {
    t.same(render(text).mentions, nobody, text)
  }
})

t.test('a mention in a quotation is silent, after it no longer', async t => {
  for (const text of ['> @**Ann Lee** @**all**', '```quote\n@**Ann Lee** @*devs*\n```', '> > - @**topic**']) {
    t.match(html(text), 'silent', text)
    t.same(render(text).mentions, nobody, text)
  }
  t.same(render('> @**Bo**\n\n@**Ann Lee**').mentions.userIds, [5])
})

t.test('a mention in a spoiler counts', async t => {
  t.same(render('```spoiler for @**Bo**\n@**Ann Lee**\n```').mentions.userIds, [6, 5])
})

t.test('a person whose name is markup stays text', async t => {
  t.match(html('@**|9**'), '@&lt;b&gt;"x"&lt;/b&gt;</span>')
})
