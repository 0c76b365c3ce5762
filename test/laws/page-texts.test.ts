import t from 'tap'
import { reasons } from '../../server/web/language/de/reasons.js'
import { sidesNamed, textsOutside } from './page-texts.js'
import { sourcesIn } from './sources.js'

t.test('all texts of the pages are in the catalogue', async t => {
  const sources = sourcesIn(['server/web'], ['.ts', '.tsx']).filter(
    ({ path }) => !path.startsWith('server/web/language/'),
  )
  t.ok(sources.length > 150, 'the pages were found')
  t.same(textsOutside(sources), [])
})

t.test('each translated reason is a text of the server', async t => {
  const code = sourcesIn(['server'], ['.ts'])
    .filter(({ path }) => !path.startsWith('server/web/'))
    .map(({ text }) => text.replace(/\$\{[^}]*\}/g, '*'))
    .join('\n')
  const unknown = (texts: readonly string[]) => texts.filter(text => !code.includes(text))
  t.same(unknown(Object.keys(reasons)), [])
  t.same(unknown(['Cannot mute yourself']), ['Cannot mute yourself'])
})

t.test('the law finds a text', async t => {
  const found = (text: string) => textsOutside([{ path: 'server/web/chat/x.tsx', text }])
  for (const code of [
    '<button title="Close">',
    '<input placeholder="find people" />',
    '<p aria-label={`Remove it`}>',
    "chat.say('Nothing is unread.')",
    "const title = isOn ? 'Mute' : t('x.unmute')",
    '{`many messages marked as read.`}',
    "setError('the upload failed: try again.')",
    "{ value: 1, hint: 'two words' }",
    "{ narrow, title: 'Inbox' }",
  ]) {
    t.match(found(`\n${code}`), [/^server\/web\/chat\/x\.tsx:2 has a text/], code)
  }
  t.test('and leaves other strings alone', async t => {
    for (const code of [
      "title={t('words.close')}",
      '<span class="row-name quiet">',
      "if (event.key === 'Escape') return",
      '// An error: say "Nothing is unread."',
      "throw new Error('outside of the chat')",
      "chat.ask('POST', '/users/me/status', { status_text })",
      "const keys = ['Ctrl K', 'keys.jump']",
    ]) {
      t.same(found(code), [], code)
    }
  })
})

t.test('styles name no side of the screen', async t => {
  const sources = sourcesIn(['server/web'], ['.css']).filter(({ path }) => !path.includes('/public/'))
  t.ok(sources.length > 8, 'the styles were found')
  t.same(sidesNamed(sources), [])
})

t.test('the law finds a side', async t => {
  const found = (text: string) => sidesNamed([{ path: 'server/web/chat/x.css', text }])
  for (const style of [
    'margin-left: 4px;',
    'padding-right: 0;',
    'border-left: 1px solid;',
    'left: 50%;',
    'text-align: right;',
    'border-top-left-radius: 3px;',
    'padding: 1px 2px 3px 4px;',
    'margin: 0 auto 0 calc(1px + max(2px, 3px));',
  ]) {
    t.match(found(`a {\n  ${style}\n}`), [/^server\/web\/chat\/x\.css:2 /], style)
  }
  for (const style of [
    'margin-inline-start: 4px;',
    'padding: 1px 2px 3px 2px;',
    'inset: 0 0 auto;',
    '.left { top: 0 }',
  ]) {
    t.same(found(style), [], style)
  }
})
