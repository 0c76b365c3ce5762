import t from 'tap'
import {
  addProfileField,
  type ProfileFieldDraft,
  removeProfileField,
} from '../../../server/actions/users/profile-fields.js'
import { startServer } from '../../support/server.js'

const { ctx, person } = await startServer(t)
await person()

const plain = { hint: '', options: [], urlPattern: null, required: false, editableByUser: true, inSummary: false }
const add = (type: ProfileFieldDraft['type'], name: string, change: Partial<ProfileFieldDraft> = {}) =>
  addProfileField(ctx, { ...plain, type, name, ...change })

t.test('fields that cannot be', async t => {
  await add('DATE', 'Birthday')
  const refused: [ProfileFieldDraft['type'], string, Partial<ProfileFieldDraft>?][] = [
    ['DATE', ' '],
    ['DATE', 'x'.repeat(41)],
    ['DATE', 'a\nb'],
    ['DATE', 'BIRTHDAY'],
    ['DATE', 'Hint', { hint: 'x'.repeat(81) }],
    ['DATE', 'Options', { options: ['a'] }],
    ['SELECT', 'No options'],
    ['SELECT', 'Same options', { options: ['a', 'a '] }],
    ['SELECT', 'Empty option', { options: ['a', ' '] }],
    ['SELECT', 'Long option', { options: ['x'.repeat(51)] }],
    ['EXTERNAL_ACCOUNT', 'No pattern'],
    ['EXTERNAL_ACCOUNT', 'Nowhere for the name', { urlPattern: 'https://code.example/' }],
    ['EXTERNAL_ACCOUNT', 'Not the web', { urlPattern: 'javascript:%(username)s' }],
    ['URL', 'Pattern', { urlPattern: 'https://code.example/%(username)s' }],
    ['LONG_TEXT', 'Summary', { inSummary: true }],
    ['USER', 'Summary', { inSummary: true }],
  ]
  for (const [type, name, change] of refused) await t.rejects(add(type, name, change), { code: 'BAD_REQUEST' }, name)
  await t.rejects(removeProfileField(ctx, null, 99_999), { code: 'BAD_REQUEST' })
})

t.test('a summary has room for two; the same name at once is one field', async t => {
  for (const name of ['One', 'Two']) await add('PRONOUNS', name, { inSummary: true })
  await t.rejects(add('PRONOUNS', 'Three', { inSummary: true }), { code: 'BAD_REQUEST' })
  const outcomes = await Promise.allSettled([add('DATE', 'Same'), add('DATE', 'same')])
  t.same(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})
