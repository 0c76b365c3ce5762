import sharp from 'sharp'
import { hashPassword } from '../../../server/auth/passwords.js'
import { setOrganization, setUser } from '../../support/organization.js'
import type { TestServer } from '../../support/server.js'
import type { RecordedPerson, Recorder } from './recorder.js'

export const password = 'seven green kettles whistle'
/** Of the server that the cast uses. */
export const jwtSecret = 'a secret of thirty-two characters'

/** Who sends the requests of the examples, and what they name. */
export interface Cast {
  /** The owner. */
  readonly ada: RecordedPerson
  readonly ben: RecordedPerson
  readonly cleo: RecordedPerson
  /** Leaves in the end. */
  readonly dan: RecordedPerson
  /** A bot of Ada. */
  readonly weather: RecordedPerson
  readonly picture: Uint8Array<ArrayBuffer>
  /** A name that the organization may have once: another one for each cast. */
  name(name: string): string
}

/** @param suffix of all names, because an organization may have several casts. */
export async function makeCast(server: TestServer, recorder: Recorder, suffix = ''): Promise<Cast> {
  const { sql } = server
  const name = (name: string) => name + suffix
  const person = async (first: string, more: object = {}) => {
    const full_name = name(first)
    const email = `${full_name.toLowerCase()}@chat.example`
    return recorder.as(await server.person({ full_name, email, ...more }))
  }
  const ada = await person('Ada', { role: 100 })
  const ben = await person('Ben')
  const cleo = await person('Cleo')
  const dan = await person('Dan')
  const weather = await person('Weather', { bot_type: 1, bot_owner_id: ada.id })
  await setUser(sql, ada.id, { can_create_users: true, password_hash: await hashPassword(password) })
  await setOrganization(sql, { enable_read_receipts: true })
  const background = { r: 40, g: 90, b: 160 }
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .png()
    .toBuffer()
  return { ada, ben, cleo, dan, weather, picture: new Uint8Array(picture), name }
}
