import { flatten } from '@solid-primitives/i18n'
import t from 'tap'
import { counterOf } from '../../../server/web/language/counter.js'
import { byText, dayText, listText, numberText, titled } from '../../../server/web/language/format.js'
import {
  bestLanguage,
  type Language,
  language,
  languages,
  locale,
  speak,
  t as text,
} from '../../../server/web/language/language.js'
import { refusalText } from '../../../server/web/language/refusal-text.js'

type Entry = string | ((...parameters: number[]) => string)

const entriesOf = async (code: Language): Promise<Map<string, Entry>> => {
  const all = { ...flatten(await languages[code].load()), ...flatten({ page: await languages[code].loadSettings() }) }
  const entries = Object.entries(all) as [string, Entry | object][]
  return new Map(entries.filter((entry): entry is [string, Entry] => typeof entry[1] !== 'object'))
}

const english = await entriesOf('en')
const others = (Object.keys(languages) as Language[]).filter(code => code !== 'en')

/** Words that German has from English, and names. */
const alike = new Set([
  'words.name',
  'words.comma',
  'composer.emoji',
  'composer.format.link',
  'composer.format.code',
  'customEmoji.list',
  'emoji.title',
  'emoji.groups.smileys',
  'keys.names.alt',
  'keys.names.esc',
  'message.spoiler',
  'ownStatus.text',
  'page.sections.imports',
  'page.choices.jitsi',
  'page.choices.percent',
  'page.rows.full_name',
  'page.factors.passkey',
  'page.fields.account',
  'page.fields.domain',
  'page.fields.field_name',
  'page.fields.folder_name',
  'page.fields.group_name',
  'page.fields.playground_name',
  'page.fieldTypes.5',
  'page.fieldTypes.github',
  'page.fieldTypes.twitter',
  'page.people.bots',
  'person.bot',
  'pictures.logo',
  'report.type.spam',
  'settings.theme.system',
  'snippets.text',
  'status.page',
  'status.title',
  'status.worker',
  'status.sockets',
  'status.cpu',
  'status.panel.cpu.cpu',
  'page.fields.bot_name',
])

t.test('each language has the texts of the English catalogue, and no others', async t => {
  t.ok(english.size > 400, 'the texts were found')
  for (const code of others) {
    const texts = await entriesOf(code)
    t.same([...texts.keys()].sort(), [...english.keys()].sort(), code)
    for (const [key, entry] of texts) {
      if (typeof entry === 'string') t.not(entry.trim(), '', `${code} ${key}`)
      t.equal(typeof entry, typeof english.get(key), `${code} ${key}`)
    }
    const copied = [...texts].filter(([key, entry]) => entry === english.get(key) && !alike.has(key))
    t.same(copied, [], `${code}: a text was copied and not translated`)
  }
})

t.test('each text shows all of its parameters', async t => {
  for (const code of ['en', ...others] as const) {
    for (const [key, entry] of await entriesOf(code)) {
      // The texts of refusals replace the server's words.
      if (typeof entry === 'string' || key.startsWith('refusal.')) continue
      const pattern = english.get(key) as (...parameters: number[]) => string
      const given = Array.from({ length: pattern.length }, (_, at) => 101 + at)
      for (const one of given) t.match(entry(...given), String(one), `${code} ${key}`)
      for (const count of [0, 1, 2, 5]) t.notMatch(entry(...given.map(() => count)), /undefined|NaN/, `${code} ${key}`)
    }
  }
})

t.test('a number has the plural of the language', async t => {
  t.equal(text('composer.tooLong', 1), 'The message is too long by 1 character.')
  t.equal(text('composer.tooLong', 1200), 'The message is too long by 1,200 characters.')
  t.equal(text('snippets.tooLong', 1), 'The text is too long by 1 character.')
  const count = counterOf('pl')
  const forms = {
    one: (n: string) => `${n} plik`,
    few: (n: string) => `${n} pliki`,
    other: (n: string) => `${n} plików`,
  }
  t.same(
    [1, 3, 5, 22, 25].map(n => count(n, forms)),
    ['1 plik', '3 pliki', '5 plików', '22 pliki', '25 plików'],
  )
})

t.test('the first language counts that the page speaks', async t => {
  for (const [codes, wanted] of [
    [['de-AT', 'en'], 'de'],
    [['DE'], 'de'],
    [['fr', 'de'], 'de'],
    [['en-GB', 'de'], 'en'],
    [['fr', 'zh-hans'], 'en'],
    [['toString', '__proto__', '', '-'], 'en'],
    [[], 'en'],
  ] as const) {
    t.equal(bestLanguage(codes), wanted, codes.join())
  }
})

t.test('a refusal has the words of the language, by its code or by its reason', async t => {
  t.teardown(async () => speak('en', await languages.en.load(), []))
  t.equal(refusalText('PERMISSION_DENIED', 'Insufficient permission'), 'Insufficient permission')
  speak('de', await languages.de.load(), [])
  t.equal(refusalText('PERMISSION_DENIED', 'Insufficient permission'), 'Dazu hast du keine Berechtigung.')
  for (const [reason, inGerman] of Object.entries({
    'Cannot mute self': 'Du kannst dich nicht selbst stummschalten.',
    "Email 'a*b@$&.example' already in use": 'Die Adresse a*b@$&.example wird schon verwendet.',
    "'<b>' is no longer using this organization.": '<b> ist nicht mehr in dieser Organisation.',
    'At most 7 users can be muted.': 'Höchstens 7 Personen können stummgeschaltet sein.',
    'Cannot mute self, really': 'Cannot mute self, really',
    'At most 7 things': 'At most 7 things',
    toString: 'toString',
  }))
    t.equal(refusalText('BAD_REQUEST', reason), inGerman)
  t.equal(
    refusalText('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
    'Das können nur Eigentümer der Organisation.',
  )
  t.equal(refusalText('UNAUTHORIZED_PRINCIPAL', 'Else'), 'Dazu hast du keine Berechtigung.')
  t.equal(refusalText('SOME_CODE', 'Cannot mute self'), 'Cannot mute self', 'another code has other meanings')
  for (const code of ['BAD_REQUEST', 'toString', '', undefined, 7])
    t.equal(refusalText(code, 'Bad'), 'Bad', String(code))
})

t.test('dates, numbers, lists and order follow the language, in the form of the browser', async t => {
  t.teardown(async () => speak('en', await languages.en.load(), []))
  t.equal(language(), 'en')
  speak('en', await languages.en.load(), ['de-DE', 'en-GB'])
  t.equal(locale(), 'en-GB')
  t.same([listText(['a', 'b', 'c']), listText(['a', 'b', 'c'], 'and')], ['a, b, c', 'a, b and c'])
  t.same([dayText(0), titled(dayText(-1)), numberText(1234.5)], ['today', 'Yesterday', '1,234.5'])
  for (const [first, text] of [
    ['de-DE', '18:45'],
    ['en-US', '6:45 PM'],
  ] as const) {
    speak('en', await languages.en.load(), [first])
    const time = new Date(2026, 0, 1, 18, 45).toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' })
    t.match(time.replace(/\s/g, ' ').replace(/^0/, ''), text, `hours as in ${first}`)
  }
  speak('de', await languages.de.load(), ['en-GB', 'de-AT'])
  t.same([language(), locale()], ['de', 'de-AT'])
  t.same([listText(['a', 'b', 'c']), dayText(0), titled(dayText(-1))], ['a, b und c', 'heute', 'Gestern'])
  t.equal(text('notice.markedRead', 2000), '2.000 Nachrichten als gelesen markiert.')
  t.same(['Zebra', 'Öl', 'Ofen'].sort(byText), ['Ofen', 'Öl', 'Zebra'])
  t.equal(text('sidebar.about', '$& {{ name }}'), 'Über $& {{ name }}', 'names stay as they are')
})
