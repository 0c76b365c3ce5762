import { badRequest } from '../../../shared/errors.js'
import { appSetUp, newAppSecret, periodOf } from '../../auth/factors/authenticator-app.js'
import { readSigned, sign } from '../../auth/signed-text.js'
import type { Ctx } from '../../ctx.js'
import { deleteApp, insertApp } from '../../store/accounts/factors.js'
import type { UserRow } from '../../store/users/users.js'
import { type QrCode, qrCode } from '../../text/qr-code.js'
import { afterRemoval, changeFactors, prepareFactor } from './change-factors.js'

// Ms in which the app has to show its first code.
const setUpMs = 900_000
const purpose = 'authenticator app'

export interface AppSetUp {
  /** For people who type it. */
  readonly secret: string
  /** What the QR code says. */
  readonly uri: string
  readonly qr: QrCode
  /** Goes back to the server with the first code, which stores nothing before. */
  readonly setup: string
}

/** A new secret for an authenticator app of the user. */
export const beginApp = (ctx: Ctx, user: UserRow): AppSetUp =>
  shownApp(ctx, user, { secret: newAppSecret(), until: ctx.clock.now() + setUpMs })

interface Begun {
  readonly secret: Buffer
  readonly until: number
}

function shownApp({ directory }: Ctx, { id, delivery_email: address }: UserRow, { secret, until }: Begun): AppSetUp {
  const { name, secret: key } = directory.organization
  const shown = appSetUp(secret, { organization: name, address })
  return { ...shown, qr: qrCode(shown.uri), setup: sign(key, purpose, [id, until, secret.toString('hex')]) }
}

/** The same app again, after a wrong code. Undefined: this server did not begin it for the user, or too long ago. */
export function resumedApp(ctx: Ctx, user: UserRow, setup: string): AppSetUp | undefined {
  const begun = readSetUp(ctx, user.id, setup)
  return begun && shownApp(ctx, user, begun)
}

function readSetUp({ directory, clock }: Ctx, userId: number, setup: string): Begun | undefined {
  const [id, until, hex] = readSigned(directory.organization.secret, purpose, setup) ?? []
  if (id !== userId || Number(until) < clock.now()) return undefined
  return { secret: Buffer.from(String(hex), 'hex'), until: Number(until) }
}

interface FirstCode {
  readonly setup: string
  readonly code: string
  /** The session that adds the app, and goes on. */
  readonly sessionId?: number | undefined
}

/**
 * Adds an authenticator app that shows the code of its secret.
 * @returns recovery codes, with the first factor of the account
 * @throws {ApiError} BAD_REQUEST
 */
export async function addApp(ctx: Ctx, user: UserRow, { setup, code, sessionId }: FirstCode): Promise<string[]> {
  const begun = readSetUp(ctx, user.id, setup)
  if (!begun) throw badRequest('The setup of the app is malformed or too old: begin again.')
  const { secret } = begun
  const last_period = periodOf(secret, code.replace(/\s/g, ''), ctx.clock.now())
  if (last_period === undefined) throw badRequest('The code is wrong.')
  return changeFactors(ctx, user.id, async change => {
    const codes = await prepareFactor(change, sessionId)
    const isAdded = await insertApp(change.tx, user.id, { secret, last_period }, new Date(ctx.clock.now()))
    if (!isAdded) throw badRequest('There is an authenticator app already: remove it first.')
    change.note('app_added')
    return codes
  })
}

/** @throws {ApiError} BAD_REQUEST */
export async function removeApp(ctx: Ctx, userId: number): Promise<void> {
  await changeFactors(ctx, userId, async change => {
    if (!(await deleteApp(change.tx, userId))) throw badRequest('There is no authenticator app.')
    await afterRemoval(ctx, change)
    change.note('app_removed')
  })
}
