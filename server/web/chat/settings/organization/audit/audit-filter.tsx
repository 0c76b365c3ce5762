import { createUniqueId, For, type JSX } from 'solid-js'
import { st } from '../../../../language/settings-language.js'
import { PeoplePicker } from '../../people-picker.js'
import { auditEvents, eventTitle } from './audit-events.js'

/** Which changes the list shows; days as `2026-11-28`, empty: without a bound. */
export interface AuditFilter {
  readonly actor?: number
  readonly user?: number
  readonly event: string
  readonly from: string
  readonly to: string
}

/** The parameters of the list and of the download. The last day counts as a whole. */
export function filterParams({ actor, user, event, from, to }: AuditFilter): Record<string, string | number> {
  const midnight = (day: string, later = 0): number => {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
    return new Date(year, month - 1, date + later).getTime() / 1000
  }
  return {
    ...(actor !== undefined && { actor_id: actor }),
    ...(user !== undefined && { user_id: user }),
    ...(event && { event }),
    ...(from && { since: midnight(from) }),
    ...(to && { until: midnight(to, 1) }),
  }
}

interface AuditFilterFormProps {
  readonly filter: AuditFilter
  change(filter: AuditFilter): void
}

export function AuditFilterForm(props: AuditFilterFormProps): JSX.Element {
  const set = (part: Partial<AuditFilter>) => props.change({ ...props.filter, ...part })
  return (
    <div class="audit-filter">
      <OnePerson title={st('audit.by')} chosen={props.filter.actor} choose={actor => set({ actor })} />
      <OnePerson title={st('audit.of')} chosen={props.filter.user} choose={user => set({ user })} />
      <Kind choose={event => set({ event })} />
      <div class="audit-days">
        <Day title={st('audit.from')} value={props.filter.from} set={from => set({ from })} />
        <Day title={st('audit.to')} value={props.filter.to} set={to => set({ to })} />
      </div>
    </div>
  )
}

function Kind(props: { choose(event: string): void }): JSX.Element {
  const id = createUniqueId()
  return (
    <div class="field">
      <label for={id}>{st('audit.kind')}</label>
      <select class="input" id={id} onChange={({ currentTarget }) => props.choose(currentTarget.value)}>
        <option value="">{st('audit.allKinds')}</option>
        <For each={auditEvents}>{event => <option value={event}>{eventTitle(event)}</option>}</For>
      </select>
    </div>
  )
}

interface OnePersonProps {
  readonly title: string
  readonly chosen: number | undefined
  choose(id: number | undefined): void
}

function OnePerson(props: OnePersonProps): JSX.Element {
  const id = createUniqueId()
  return (
    <div class="field">
      <label for={id}>{props.title}</label>
      <PeoplePicker
        id={id}
        isLocked={false}
        chosen={props.chosen === undefined ? [] : [props.chosen]}
        choose={people => props.choose(people.at(-1))}
      />
    </div>
  )
}

function Day(props: { title: string; value: string; set(day: string): void }): JSX.Element {
  return (
    <label class="field">
      {props.title}
      <input
        class="input"
        type="date"
        max="9999-12-30"
        value={props.value}
        onChange={({ currentTarget }) => props.set(currentTarget.value)}
      />
    </label>
  )
}
