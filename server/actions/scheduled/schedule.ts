import { ApiError, badRequest } from '../../../shared/errors.js'
import {
  scheduledMessagesAdd,
  scheduledMessagesRemove,
  scheduledMessagesUpdate,
} from '../../../shared/events/scheduled-messages.js'
import { codePoints } from '../../../shared/limits.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { scheduledMessage as job, scheduledKey } from '../../job-types/scheduled.js'
import { cancelJobs } from '../../store/jobs/jobs.js'
import * as store from '../../store/personal/scheduled-messages.js'
import { checkedScheduled, type GivenPlace, type GivenScheduled } from './checked-scheduled.js'
import { requireFuture } from './due.js'
import { holdOwner } from './hold-owner.js'

interface NewMessage extends GivenScheduled {
  readonly readBySender: boolean
  /** UNIX seconds. */
  readonly due: number
}

/** Schedules a message, checked as if it were sent now, and returns its id. @throws {ApiError} as sending does, and for a past time */
export async function scheduleMessage(ctx: Ctx, actor: Actor, given: NewMessage): Promise<number> {
  requireFuture(ctx, given.due)
  const content = await checkedScheduled(ctx, actor, given)
  const { readBySender, due } = given
  const row = { ...content, user_id: actor.user.id, read_by_sender: readBySender, due }
  return ctx.write(async (tx, emit, { after }) => {
    const user = await holdOwner(ctx, tx, actor)
    const totals = await store.scheduledTotals(tx, user.id)
    requireRoom(totals.count + 1, totals.characters + codePoints(row.content))
    const id = await store.insertScheduled(tx, row)
    after(job, { id }, { key: scheduledKey(id), at: new Date(due * 1000) })
    const added = store.scheduledObject({ ...row, id, failed: false })
    emit(scheduledMessagesAdd, { scheduled_messages: [added] }, [user.id])
    return id
  })
}

/** What an edit changes; what is absent stays. */
export interface ScheduledEdit extends Partial<GivenPlace> {
  readonly content?: string | undefined
  /** UNIX seconds. */
  readonly due?: number | undefined
  readonly client: string
}

// An edit fails when the message was edited meanwhile.
const tries = 5

/** @throws {ApiError} as sending does; BAD_REQUEST for a past time, or with status 404 if the caller has no such message */
export async function editScheduled(ctx: Ctx, actor: Actor, id: number, edit: ScheduledEdit): Promise<void> {
  if (edit.due !== undefined) requireFuture(ctx, edit.due)
  for (let attempt = 1; attempt <= tries; attempt++) if (await tryEdit(ctx, actor, id, edit)) return
  throw new ApiError('SERVER_NOT_READY', 'The scheduled message changes too fast: try again')
}

/** False: the message was edited meanwhile. */
async function tryEdit(ctx: Ctx, actor: Actor, id: number, edit: ScheduledEdit): Promise<boolean> {
  const before = (await store.scheduledRows(ctx.sql, [id])).get(id)
  if (before?.user_id !== actor.user.id) throw missing()
  if (before.failed && edit.due === undefined) throw badRequest('Must provide a new time for a message that failed.')
  const changed = { ...before, client: edit.client, ...(await checkedChange(ctx, actor, before, edit)), failed: false }
  return ctx.write(async (tx, emit, { after }) => {
    const user = await holdOwner(ctx, tx, actor)
    const totals = await store.scheduledTotals(tx, user.id)
    requireRoom(totals.count, totals.characters - codePoints(before.content) + codePoints(changed.content))
    // First of all rows of the message, as when it is sent.
    await cancelJobs(tx, [scheduledKey(id)])
    if (!(await store.updateScheduled(tx, before, changed))) return false
    after(job, { id }, { key: scheduledKey(id), at: new Date(changed.due * 1000) })
    emit(scheduledMessagesUpdate, { scheduled_message: store.scheduledObject(changed) }, [user.id])
    return true
  })
}

async function checkedChange(
  ctx: Ctx,
  actor: Actor,
  before: store.ScheduledRow,
  edit: ScheduledEdit,
): Promise<Partial<store.ScheduledContent>> {
  const due = edit.due === undefined ? {} : { due: edit.due }
  if (edit.to === undefined && edit.topic === undefined && edit.content === undefined) return due
  const { client, content = before.content } = edit
  return { ...(await checkedScheduled(ctx, actor, { place: placeAfter(before, edit), content, client })), ...due }
}

function placeAfter(before: store.ScheduledRow, { type, to, topic }: ScheduledEdit): GivenPlace {
  const isDirect = before.channel_id === null
  return {
    type: type ?? (isDirect ? 'direct' : 'channel'),
    to: to ?? before.channel_id ?? before.recipients,
    topic: topic ?? before.topic,
  }
}

/** @throws {ApiError} BAD_REQUEST with status 404 if the caller has no such message */
export async function deleteScheduled(ctx: Ctx, actor: Actor, id: number): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const user = await holdOwner(ctx, tx, actor)
    await cancelJobs(tx, [scheduledKey(id)])
    if (!(await store.deleteScheduled(tx, user.id, id))) throw missing()
    emit(scheduledMessagesRemove, { scheduled_message_id: id }, [user.id])
  })
}

function requireRoom(count: number, characters: number): void {
  const { scheduledMessages, scheduledCharacters } = budgets
  if (count > scheduledMessages.most) {
    throw badRequest(`There may be at most ${scheduledMessages.most} scheduled messages.`)
  }
  if (characters > scheduledCharacters.most) {
    throw badRequest(`Scheduled messages may have at most ${scheduledCharacters.most} characters together.`)
  }
}

const missing = () => new ApiError('BAD_REQUEST', 'Scheduled message does not exist', {}, 404)
