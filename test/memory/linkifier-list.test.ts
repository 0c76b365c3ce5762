import t from 'tap'
import { LinkifierList } from '../../server/memory/linkifier-list.js'

const none = { example_input: null, reverse_template: null, alternative_url_templates: [] }

t.test('a list keeps what it made ready, and the links of topics within a bound', async t => {
  const all = [{ id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.org/{id}', ...none }]
  const list = new LinkifierList(3, all)
  t.equal(list.ready, list.ready)
  t.same(list.topicLinks('#1 x'), [{ text: '#1', url: 'https://x.org/1' }])
  t.equal(list.topicLinks('#1 x'), list.topicLinks('#1 x'), 'looked through once')
  t.same(list.topicLinks(''), [])
  const first = list.topicLinks('#1 x')
  for (let i = 0; i < 5000; i++) list.topicLinks(`topic ${i}`)
  t.not(list.topicLinks('#1 x'), first, 'forgotten')
  t.same(list.topicLinks('#1 x'), first)
})
