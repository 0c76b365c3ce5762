import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'ldapts'
import type { Teardown } from '../services.js'

/** The program, where Debian has it; undefined: it is not installed. */
export const slapdProgram = ['/usr/sbin/slapd', '/usr/libexec/slapd'].find(path => existsSync(path))

const base = 'dc=example,dc=com'
const root = `cn=admin,${base}`
const password = 'the password of the server'

const configuration = (directory: string) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${directory}/pid
database mdb
suffix "${base}"
rootdn "${root}"
rootpw "${password}"
directory ${directory}/data
`

/** A real directory (slapd) with people and groups. */
export class Slapd {
  private process: ChildProcess | undefined

  private constructor(
    readonly port: number,
    private readonly directory: string,
  ) {}

  static async start(t: Teardown): Promise<Slapd> {
    const directory = await mkdtemp(join(tmpdir(), 'parley-slapd-'))
    await mkdir(join(directory, 'data'))
    await writeFile(join(directory, 'slapd.conf'), configuration(directory))
    const slapd = new Slapd(await freePort(), directory)
    t.teardown(async () => {
      await slapd.stop()
      await rm(directory, { recursive: true, force: true })
    })
    await slapd.run()
    await slapd.fill()
    return slapd
  }

  /** What LDAP_DIRECTORY says of it. */
  settings(more: Record<string, unknown> = {}) {
    const url = `ldap://127.0.0.1:${this.port}`
    return { url, bind_dn: root, bind_password: password, base_dn: base, group_base_dn: base, ...more }
  }

  async run(): Promise<void> {
    const arguments_ = ['-f', join(this.directory, 'slapd.conf'), '-h', `ldap://127.0.0.1:${this.port}`, '-d', '0']
    this.process = spawn(String(slapdProgram), arguments_, { stdio: 'ignore' })
    for (let tries = 0; ; tries++) {
      try {
        await this.as(async () => {})
        return
      } catch (error) {
        if (tries === 100) throw error
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    }
  }

  /** Stops it; `run` starts it again with what it has. */
  async stop(): Promise<void> {
    const { process } = this
    this.process = undefined
    if (!process || process.exitCode !== null) return
    const ended = new Promise(resolve => process.once('exit', resolve))
    process.kill('SIGTERM')
    await ended
  }

  /** It goes on running and answers nothing. */
  freeze(isFrozen: boolean): void {
    this.process?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT')
  }

  async addPerson(uid: string, attributes: Record<string, string | string[]>): Promise<string> {
    const dn = `uid=${uid},${base}`
    await this.as(client => client.add(dn, { objectClass: 'inetOrgPerson', uid, sn: uid, cn: uid, ...attributes }))
    return dn
  }

  async addGroup(cn: string, members: readonly string[]): Promise<string> {
    const dn = `cn=${cn},${base}`
    await this.as(client => client.add(dn, { objectClass: 'groupOfNames', cn, member: [...members] }))
    return dn
  }

  async remove(dn: string): Promise<void> {
    await this.as(client => client.del(dn))
  }

  private async fill(): Promise<void> {
    await this.as(client =>
      client.add(base, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' }),
    )
  }

  private async as(work: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client({ url: `ldap://127.0.0.1:${this.port}`, timeout: 5000, connectTimeout: 5000 })
    try {
      await client.bind(root, password)
      await work(client)
    } finally {
      await client.unbind().catch(() => {})
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise<void>(resolve => server.close(() => resolve()))
  return port
}
