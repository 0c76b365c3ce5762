import { AndFilter, Client, type Entry, EqualityFilter, InvalidCredentialsError } from 'ldapts'
import type { LdapSettings } from '../../../config/sign-in-settings.js'
import { type Identity, ProviderFailure } from '../provider.js'
import { textOf } from './entries.js'

/** Of each operation, and of the connection. */
const operationMs = 5000
const mostGroups = 2000

interface Search {
  readonly base: string
  readonly objectClass: string
  readonly attribute: string
  readonly value: string
  readonly attributes: string[]
}

/** A connection to the directory for one sign-in, with the rights of the server's own account there. */
export class LdapConnection {
  private readonly client: Client

  private constructor(
    private readonly settings: LdapSettings,
    private readonly name: string,
  ) {
    this.client = new Client({ url: settings.url, timeout: operationMs, connectTimeout: operationMs })
  }

  /** @throws {ProviderFailure} `away` */
  static async open(settings: LdapSettings, name: string): Promise<LdapConnection> {
    const connection = new LdapConnection(settings, name)
    try {
      await connection.reached(async client => {
        if (settings.start_tls) await client.startTLS({ servername: new URL(settings.url).hostname })
        await client.bind(settings.bind_dn, settings.bind_password)
      })
    } catch (error) {
      await connection.close()
      throw error
    }
    return connection
  }

  async close(): Promise<void> {
    // The connection may be broken.
    await this.client.unbind().catch(() => {})
  }

  /** The entry of a name, or of an address; undefined: there is none, or there are several. @throws {ProviderFailure} `away` */
  find(username: string, by: 'name' | 'address'): Promise<Entry | undefined> {
    if (username === '') return Promise.resolve(undefined)
    const { base_dn: base, user_class: objectClass, user_attribute, email_attribute } = this.settings
    const attribute = by === 'name' ? user_attribute : email_attribute
    return this.reached(async client => {
      const query = { base, objectClass, attribute, value: username, attributes: this.attributes }
      const found = await this.search(client, query)
      return found.length === 1 ? found[0] : undefined
    })
  }

  /** The person of an entry, if the password is the entry's; undefined: it is wrong. @throws {ProviderFailure} `away` */
  async prove(entry: Entry | undefined, password: string): Promise<Identity | undefined> {
    // A directory takes a bind without a password as an anonymous one, whatever the name.
    if (password === '') return undefined
    return this.reached(async client => {
      // As much work for an unknown name, so that the response time does not reveal it.
      const isRight = await isPassword(client, entry?.dn ?? `cn=unknown,${this.settings.base_dn}`, password)
      if (!isRight || !entry) return undefined
      return { ...this.personOf(entry), ...(this.mapsGroups && { groups: await this.groupsOf(client, entry.dn) }) }
    })
  }

  private get attributes(): string[] {
    const { subject_attribute, email_attribute, name_attribute } = this.settings
    return [subject_attribute, email_attribute, name_attribute]
  }

  private personOf(entry: Entry): Identity {
    const { subject_attribute, email_attribute, name_attribute } = this.settings
    return {
      provider: this.name,
      subject: textOf(entry, subject_attribute) || entry.dn,
      email: textOf(entry, email_attribute),
      // The directory belongs to the company, which gives out the addresses.
      emailIsVerified: true,
      fullName: textOf(entry, name_attribute),
    }
  }

  private get mapsGroups(): boolean {
    const { groups, roles, group_base_dn } = this.settings
    return group_base_dn !== undefined && Object.keys(groups).length + Object.keys(roles).length > 0
  }

  /** The connection has the rights of the person now, who may not see groups. */
  private async groupsOf(client: Client, dn: string): Promise<string[]> {
    const { bind_dn, bind_password, group_base_dn = '', group_class, member_attribute } = this.settings
    await client.bind(bind_dn, bind_password)
    const groups = await this.search(client, {
      base: group_base_dn,
      objectClass: group_class,
      attribute: member_attribute,
      value: dn,
      attributes: ['cn'],
    })
    return groups.slice(0, mostGroups).map(entry => textOf(entry, 'cn'))
  }

  /** Entries with this value. Filters are built of values and never parsed from a text, so a name cannot change them. */
  private async search(client: Client, { base, objectClass, attribute, value, attributes }: Search): Promise<Entry[]> {
    const { searchEntries } = await client.search(base, {
      scope: 'sub',
      filter: new AndFilter({
        filters: [
          new EqualityFilter({ attribute: 'objectClass', value: objectClass }),
          new EqualityFilter({ attribute, value }),
        ],
      }),
      attributes,
      explicitBufferAttributes: [this.settings.subject_attribute],
      timeLimit: operationMs / 1000,
    })
    return searchEntries
  }

  /** @throws {ProviderFailure} `away`, for everything that goes wrong: the settings are of the operator, and the answer is no proof. */
  private async reached<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await work(this.client)
    } catch (error) {
      throw new ProviderFailure('away', `${(error as Error).name}: ${(error as Error).message}`.slice(0, 500))
    }
  }
}

async function isPassword(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false
    throw error
  }
}
