import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  type ProfileFieldObject,
  type ProfileFieldType,
  profileFieldTypes,
} from '../../shared/resources/custom-profile-field.js'
import { addProfileField, removeProfileField } from '../actions/users/profile-fields.js'
import { profileFieldObject } from '../presenters/profile-field-object.js'
import { readProfileFields } from '../store/organization/custom-profile-fields.js'
import { confirmed } from './confirm.js'
import { type Json, leaf, noun, yes } from './leaf.js'
import { onOrganization } from './on-organization.js'
import { print } from './output.js'

interface Given {
  readonly type: string
  readonly name: string
  readonly hint: string
  readonly option: readonly string[]
  readonly urlPattern?: string
  readonly required: boolean
  readonly editable: boolean
  readonly summary: boolean
  readonly json: boolean
}

const words: Readonly<Record<string, ProfileFieldType>> = {
  'short-text': 'SHORT_TEXT',
  'long-text': 'LONG_TEXT',
  select: 'SELECT',
  date: 'DATE',
  link: 'URL',
  users: 'USER',
  'external-account': 'EXTERNAL_ACCOUNT',
  pronouns: 'PRONOUNS',
}

/** The commands `profile-field add|list|remove` for custom profile fields. */
export function addProfileFieldCommands(program: Command): void {
  const command = noun(program, 'profile-field', "Custom fields of people's profiles.")
  addAdd(command)
  leaf(command, 'list', 'Prints the fields in their order.', ['profile-field list']).action(async ({ json }: Json) => {
    const fields = (await onOrganization(ctx => readProfileFields(ctx.sql))).map(profileFieldObject)
    print(json, fields, fields.map(asLine))
  })
  leaf(command, 'remove', 'Removes a field with all its values.', ['profile-field remove 3 --yes'])
    .argument('<id>', 'the id of the field, as list prints it', asId)
    .addOption(yes())
    .action(async (id: number, { json, yes }: { yes: boolean } & Json) => {
      await confirmed(yes, `Remove the profile field ${id} and all its values?`)
      await onOrganization(ctx => removeProfileField(ctx, null, id))
      print(json, { id }, [`removed ${id}`])
    })
}

function addAdd(command: Command): void {
  leaf(command, 'add', 'Adds a field behind those that there are.', [
    'profile-field add --type short-text --name Phone',
    'profile-field add --type select --name Team --option Red --option Blue',
  ])
    .addOption(new Option('--type <type>', 'what its values are').choices(Object.keys(words)).makeOptionMandatory())
    .requiredOption('--name <name>', 'its name, up to 40 characters')
    .option('--hint <text>', 'a hint for users, up to 80 characters', '')
    .option(
      '--option <text>',
      'an option of a select field; repeat it for each option',
      (text, all: string[]) => [...all, text],
      [],
    )
    .option('--url-pattern <url>', 'of an external account: its address, with %(username)s in it')
    .option('--required', 'users must fill it in', false)
    .option('--no-editable', 'only administrators change its values')
    .option('--summary', 'it is shown in the summary of a profile', false)
    .action(async ({ json, ...given }: Given) => {
      const field = await onOrganization(ctx =>
        addProfileField(ctx, {
          type: words[given.type] as ProfileFieldType,
          name: given.name,
          hint: given.hint,
          options: given.option,
          urlPattern: given.urlPattern ?? null,
          required: given.required,
          editableByUser: given.editable,
          inSummary: given.summary,
        }),
      )
      print(json, field, [asLine(field)])
    })
}

function asLine({ id, type, name }: ProfileFieldObject): string {
  const kind = Object.values(profileFieldTypes).find(one => one.id === type)
  return `${id}: ${name} (${kind?.name ?? type})`
}

function asId(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Not an id.')
  return Number(text)
}
