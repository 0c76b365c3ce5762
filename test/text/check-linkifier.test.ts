import t from 'tap'
import { type LinkifierText, linkifierProblems } from '../../server/text/check-linkifier.js'
import { parseReverseTemplate } from '../../server/text/reverse-template.js'

const good: LinkifierText = {
  pattern: '#(?P<id>[0-9]+)',
  url_template: 'https://x.org/{id}',
  example_input: '#12',
  reverse_template: '#{id}',
  alternative_url_templates: ['https://x.org/old/{id}', 'https://x.org/all'],
}

t.test('a linkifier as it should be has no problems', async t => {
  t.same(linkifierProblems(good), {})
  t.same(linkifierProblems({ ...good, example_input: null, reverse_template: null, alternative_url_templates: [] }), {})
  const braces = { pattern: '\\{(?P<id>\\d+)\\}', example_input: '{7}', reverse_template: '{{{id}}}' }
  t.same(linkifierProblems({ ...good, ...braces }), {})
  const part = { pattern: '#(?P<id>\\d+)(?P<part>[a-z])?', url_template: 'https://x.org/{id}{/part}' }
  t.same(linkifierProblems({ ...good, ...part, reverse_template: '#{id}{part}' }), {}, 'a group may match nothing')
})

t.test('a template begins with what makes it a link', async t => {
  for (const beginning of ['http://', 'HTTPS://x.org/', 'mailto:', '/', '#', 'x.org', 'x.org:80/']) {
    t.same(linkifierProblems({ ...good, url_template: `${beginning}{id}` }), {}, beginning)
  }
})

t.test('what is wrong is said of its field', async t => {
  const wrong: [string, Partial<LinkifierText>][] = [
    ['pattern', { pattern: '' }],
    ['pattern', { pattern: '#(?P<id>[0-9]+' }],
    ['pattern', { pattern: 'x{1000}(?P<id>[0-9]+)' }],
    ['pattern', { pattern: `#(?P<id>[0-9]+)${'x'.repeat(2048)}` }],
    ['pattern', { pattern: '#(?P<id>[0-9]+)\0' }],
    ['url_template', { url_template: '' }],
    ['url_template', { url_template: 'https://x.org/{id' }],
    ['url_template', { url_template: `https://x.org/{id}${'x'.repeat(2048)}` }],
    ['url_template', { url_template: 'javascript:alert({id})' }],
    ['url_template', { url_template: 'JavaScript:{id}' }],
    ['url_template', { url_template: 'data:text/html,{id}' }],
    ['url_template', { url_template: 'vbscript:{id}' }],
    ['url_template', { url_template: '{+id}' }],
    ['url_template', { url_template: 'http{id}://x.org' }],
    ['__all__', { url_template: 'https://x.org/' }],
    ['__all__', { url_template: 'https://x.org/{id}/{other}' }],
    ['__all__', { pattern: '#[0-9]+' }],
    ['__all__', { pattern: '#(?P<id>[0-9]+)(?P<more>x)?' }],
    ['example_input', { example_input: '12' }],
    ['example_input', { example_input: 'see #12' }],
    ['example_input', { example_input: '#12\0' }],
    ['reverse_template', { reverse_template: '{id}' }],
    ['reverse_template', { reverse_template: '#{id} ' }],
    ['reverse_template', { reverse_template: '#{}' }],
    ['reverse_template', { reverse_template: '#{id' }],
    ['reverse_template', { reverse_template: '#id}' }],
    ['reverse_template', { reverse_template: '#{{id}}' }],
    ['reverse_template', { reverse_template: '#{other}' }],
    ['alternative_url_templates', { alternative_url_templates: ['https://x.org/{id}', ''] }],
    ['alternative_url_templates', { alternative_url_templates: ['https://x.org/{'] }],
    ['alternative_url_templates', { alternative_url_templates: ['https://x.org/{other}'] }],
    ['alternative_url_templates', { alternative_url_templates: ['https://x.org/{id}', 'javascript:{id}'] }],
    ['alternative_url_templates', { alternative_url_templates: Array(51).fill('https://x.org/{id}') }],
  ]
  for (const [field, change] of wrong) {
    const problems = linkifierProblems({ ...good, ...change })
    t.ok(problems[field]?.length, `${JSON.stringify(change).slice(0, 80)}: ${JSON.stringify(problems)}`)
  }
  const many = linkifierProblems({ ...good, alternative_url_templates: Array(100_000).fill('') })
  t.equal(many.alternative_url_templates?.length, 1, 'too many are not looked at one by one')
  t.same(Object.keys(linkifierProblems({ ...good, pattern: '(', url_template: '{' })), ['pattern', 'url_template'])
})

t.test('a reverse template knows its braces', async t => {
  const fill = (text: string) => {
    const template = parseReverseTemplate(text)
    return typeof template === 'string' ? undefined : template.fill({ a: '1', b: undefined, c: '{a}' })
  }
  t.equal(fill('{a}-{b}-{a}'), '1--1')
  t.equal(fill('{{a}}'), '{a}')
  t.equal(fill('{{{a}}}'), '{1}')
  t.equal(fill('{{}}{{{{'), '{}{{')
  t.equal(fill('{c}'), '{a}', 'what was filled in is not looked at again')
  t.equal(fill('plain'), 'plain')
  for (const text of ['{', '}', '{a', 'a}', '{}', '{{a}', '{a}}', '{a{b}}', '{{{a}}', '}{']) {
    t.type(parseReverseTemplate(text), 'string', text)
  }
})
