import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import { until } from '../http/until.js'
import type { Api } from './http.js'
import type { Loose } from './in-step.js'

/** The files of an archive by their paths below its one directory. */
export class Archive {
  constructor(readonly files: ReadonlyMap<string, Buffer>) {}

  static async at(url: string): Promise<Archive> {
    const answer = await fetch(url)
    if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`)
    return Archive.of(Buffer.from(await answer.arrayBuffer()))
  }

  static async of(bytes: Buffer): Promise<Archive> {
    const entries = await unpackTar(gunzipSync(bytes))
    const names = entries.map(({ header }) => header.name)
    const [top = ''] = (names[0] ?? '').split('/')
    if (!names.every(name => name.startsWith(`${top}/`))) throw new Error('an archive has one directory at its top')
    return new Archive(
      new Map(entries.map(({ header, data }) => [header.name.slice(top.length + 1), Buffer.from(data ?? [])])),
    )
  }

  json(name: string): Loose {
    const file = this.files.get(name)
    if (!file) throw new Error(`the archive has no ${name}`)
    return JSON.parse(String(file))
  }

  /** The rows of a table of `realm.json`. */
  table(name: string): Loose[] {
    return this.json('realm.json')[`zerver_${name}`]
  }

  private all(key: string): Loose[] {
    const names = [...this.files.keys()].filter(name => name.startsWith('messages-')).sort()
    return names.flatMap(name => this.json(name)[key])
  }

  get messages(): Loose[] {
    return this.all('zerver_message')
  }

  get received(): Loose[] {
    return this.all('zerver_usermessage')
  }

  get contents(): string[] {
    return this.messages.map(message => message.content)
  }
}

/** The list of exports; addresses of archives lead to the server of the test, which is at another port than its public address. */
export const exportsOf = (who: Api): Promise<Loose[]> => listed(who, '/export/realm')

/** The same of the exports of one person. */
export const personExportsOf = (who: Api, userId: number): Promise<Loose[]> => listed(who, `/users/${userId}/exports`)

async function listed(who: Api, path: string): Promise<Loose[]> {
  const { exports } = await who.ok('GET', path)
  return exports.map((one: Loose) => ({
    ...one,
    export_url: one.export_url && new URL(new URL(one.export_url).pathname, who.url).href,
  }))
}

/** Requests an export and waits for its end; its object. */
export async function exported(who: Api, params: Loose = {}): Promise<Loose> {
  const { id } = await who.ok('POST', '/export/realm', params)
  return ended(() => exportsOf(who), id)
}

/** Waits for the end of an export of one person; its object. */
export const personExported = (who: Api, userId: number, id: number): Promise<Loose> =>
  ended(() => personExportsOf(who, userId), id)

async function ended(list: () => Promise<Loose[]>, id: number): Promise<Loose> {
  let found: Loose | undefined
  await until(async () => {
    found = (await list()).find(one => one.id === id)
    return found?.pending === false
  })
  return found as Loose
}

/** The newest archive of one person that this reader has requested. */
export const personArchive = async (who: Api, userId: number): Promise<Archive> =>
  Archive.at((await personExportsOf(who, userId)).findLast(one => one.export_url)?.export_url)
