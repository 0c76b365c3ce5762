import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import {
  type NewKeyAlgorithm,
  namedKeys,
  newKeyAlgorithms,
  newTokenKey,
  type SettingKey,
} from '../../auth/new-token-key.js'
import { readTokenKeys } from '../../auth/token-keys.js'
import { ConfigError, readConfig } from '../../config.js'
import { AdminError } from '../admin-error.js'
import { type Json, leaf, noun } from '../leaf.js'
import { print, table } from '../output.js'

interface NewKey {
  readonly alg: NewKeyAlgorithm
  readonly kid?: string
  readonly privateKey?: string
}

/**
 * The commands `jwt-key …` for the keys of the setting JWT_SECRETS. The setting belongs to the server's environment, so the commands change
 * nothing; they print the new value.
 */
export function addJwtKeyCommands(program: Command): void {
  const key = noun(program, 'jwt-key', 'Keys that sign-in tokens are checked with: the setting JWT_SECRETS.')
  addList(key)
  making(
    leaf(key, 'add', 'Makes a key, and prints JWT_SECRETS with it and the key to sign with, which is kept nowhere.', [
      'jwt-key add --alg ES256 --private-key signing.pem',
      'jwt-key add --alg HS256 --json',
    ]),
  ).action(async ({ json, ...wish }: NewKey & Json) => await make(wish, json, await present()))
  making(
    leaf(
      key,
      'rotate',
      'Makes a key that takes the place of another one; prints JWT_SECRETS with both, and as it is to be once nothing is signed with the old one.',
      ['jwt-key rotate 2025 --kid 2026 --alg ES256 --private-key signing.pem'],
    ).argument('<kid>', 'the key that goes, as list names it'),
  ).action(async (kid: string, { json, ...wish }: NewKey & Json) => await make(wish, json, await present(), kid))
  leaf(key, 'remove', 'Prints JWT_SECRETS without a key: tokens that it signed are worth nothing then.', [
    'jwt-key remove 2025',
  ])
    .argument('<kid>', 'as list names it')
    .action(async (kid: string, { json }: Json) => {
      const setting = settingOf(without(await present(), kid))
      print(json, { JWT_SECRETS: setting }, [`JWT_SECRETS=${setting}`])
    })
}

function addList(key: Command): void {
  leaf(key, 'list', 'Lists the keys by their names, never a secret.', ['jwt-key list']).action(
    async ({ json }: Json) => {
      const keys = (await present()).map(({ kid, alg, kty }) => ({
        kid,
        alg,
        kind: kty === 'oct' ? 'secret of both sides' : 'public key',
      }))
      print(json, keys, table({ kid: one => one.kid, alg: one => one.alg, kind: one => one.kind }, keys))
    },
  )
}

const making = (command: Command): Command =>
  command
    .addOption(new Option('--alg <algorithm>', 'what it signs with').choices(newKeyAlgorithms).default('ES256'))
    .option('--kid <name>', 'its name, that tokens carry; by default one is made')
    .option('--private-key <file>', 'write the key to sign with into a new file in place of printing it')

async function make(
  { alg, kid, privateKey }: NewKey,
  json: boolean,
  others: readonly SettingKey[],
  leaving?: string,
): Promise<void> {
  const staying = leaving === undefined ? others : without(others, leaving)
  if (others.some(one => one.kid === kid)) throw new AdminError(`There is a key ${kid} already.`, 'KID_TAKEN')
  const { key, signing } = await newTokenKey(alg, kid)
  if (privateKey !== undefined) await writeSecret(privateKey, signing)
  const setting = settingOf([...others, key])
  const told = privateKey === undefined ? { signing_key: signing } : { signing_key_file: privateKey }
  const later = leaving === undefined ? undefined : settingOf([...staying, key])
  print(json, { kid: key.kid, alg, JWT_SECRETS: setting, ...(later && { JWT_SECRETS_later: later }), ...told }, [
    `kid: ${key.kid}`,
    privateKey === undefined ? `sign with:\n${signing.trimEnd()}` : `sign with: ${privateKey}`,
    `JWT_SECRETS=${setting}`,
    ...(later ? [`later: JWT_SECRETS=${later}`] : []),
  ])
}

/** The present keys of the setting in the environment. @throws {ConfigError} */
async function present(): Promise<SettingKey[]> {
  const { jwtSecrets } = readConfig(process.env)
  try {
    return await namedKeys(readTokenKeys(jwtSecrets))
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : 'The setting JWT_SECRETS cannot be read.')
  }
}

function without(keys: readonly SettingKey[], kid: string): SettingKey[] {
  if (!keys.some(key => key.kid === kid)) throw new AdminError(`There is no key ${kid} in JWT_SECRETS.`, 'NOT_FOUND')
  return keys.filter(key => key.kid !== kid)
}

/** The setting for these keys; empty: the server accepts no tokens. */
const settingOf = (keys: readonly SettingKey[]): string => (keys.length === 0 ? '' : JSON.stringify({ keys }))

async function writeSecret(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new AdminError(`${file} cannot be written: ${(error as Error).message}.`, 'FILE_EXISTS')
  }
}
