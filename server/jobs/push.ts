import { ownPushKey } from '../actions/push/push-keys.js'
import type { WorkerCtx } from '../ctx.js'
import { isPublicAddress } from '../external/address-policy.js'
import { dnsResolver } from '../external/resolve-host.js'
import { type PushPayload, pushAgain, push as pushType } from '../job-types/push.js'
import { type Outcome, PushSender } from '../push/push-sender.js'
import { noteResults } from '../store/push/devices.js'
import { type JobKind, jobKind } from './job-kind.js'
import type { JobRun } from './job-run.js'
import { type Letter, lettersOf } from './push-letters.js'

// The last attempt is about two hours after the first one.
const mostAttempts = 12
const firstPauseMs = 5_000
const longestPauseMs = 3_600_000

/**
 * Sends pushes to devices, at once. What a device did not get becomes a job of its own, so a push service that is away delays no other. A
 * push names its message: a receiver that gets it twice shows it once.
 */
export function pushKinds(): readonly JobKind[] {
  let opened: Promise<PushSender> | undefined
  const senderOf = (ctx: WorkerCtx) => {
    opened ??= openSender(ctx).catch(error => {
      opened = undefined
      throw error
    })
    return opened
  }
  const run = async (ctx: WorkerCtx, payload: PushPayload, job: JobRun) => {
    const letters = ctx.config.webPush ? await lettersOf(ctx, payload) : []
    if (letters.length === 0) return
    const sender = await senderOf(ctx)
    const results = await Promise.all(
      letters.map(async letter => ({ letter, outcome: await deliver(ctx, sender, letter, job.signal) })),
    )
    await note(ctx, payload, job, results)
  }
  return [jobKind(pushType, { atOnce: 8, run }), jobKind(pushAgain, { atOnce: 8, run })] as readonly JobKind[]
}

async function openSender({ sql, config, publicUrl, realmHost }: WorkerCtx): Promise<PushSender> {
  return new PushSender({
    key: await ownPushKey(sql),
    subject: publicUrl.startsWith('https:') ? publicUrl : `mailto:webmaster@${realmHost}`,
    privateOrigins: config.pushPrivateOrigins,
    mayConnect: isPublicAddress,
    resolve: dnsResolver(),
  })
}

async function deliver(ctx: WorkerCtx, sender: PushSender, letter: Letter, signal: AbortSignal): Promise<Outcome> {
  const send = (isShort: boolean) => sender.send(letter.device, letter.push(isShort), ctx.clock.now(), signal)
  const outcome = await send(false)
  if (outcome.is !== 'large') return outcome
  const second = await send(true)
  return { ...second, isSlow: outcome.isSlow || second.isSlow || false }
}

interface Result {
  readonly letter: Letter
  readonly outcome: Outcome
}

/** Usually all devices got it, and there is nothing to write. */
async function note(ctx: WorkerCtx, payload: PushPayload, job: JobRun, results: readonly Result[]): Promise<void> {
  const { attempt = 0 } = payload
  const ids = (some: readonly Result[]) => some.map(({ letter }) => letter.device.id)
  const of = (...kinds: Outcome['is'][]) => results.filter(({ outcome }) => kinds.includes(outcome.is))
  const well = of('sent').filter(({ letter }) => letter.device.failing_since !== null)
  const gone = of('gone')
  const failed = of('later', 'refused', 'large')
  const slow = results.filter(({ outcome }) => outcome.isSlow)
  if (well.length + gone.length + failed.length + slow.length === 0) return
  const isLast = payload.kind === 'test' || attempt + 1 >= mostAttempts
  for (const { letter, outcome } of failed) {
    const { host } = new URL(letter.device.endpoint)
    const why = 'why' in outcome ? outcome.why : 'the push service takes no text of this length'
    ctx.log.info({ device: letter.device.id, host, attempt, why }, 'a push failed')
  }
  await job.write(async (tx, _emit, { after }) => {
    const noted = { well: ids(well), gone: ids(gone), failed: ids(failed), slow: ids(slow) }
    await noteResults(tx, noted, new Date(ctx.clock.now()))
    for (const { letter, outcome } of isLast ? [] : of('later')) {
      const inMs = 'inMs' in outcome ? outcome.inMs : undefined
      const at = new Date(ctx.clock.now() + (inMs ?? pause(attempt)))
      after(pushAgain, { ...payload, devices: [letter.device.id], attempt: attempt + 1 }, { at })
    }
  })
}

/** Doubles with each attempt. The random part keeps what failed together from returning together. */
const pause = (attempt: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** attempt) * (1 - Math.random() / 4)
