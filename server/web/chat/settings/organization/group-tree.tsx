import { createMemo, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import type { UserGroup } from '../../../../../shared/events/client-state.js'
import { t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { mayCreateGroups } from '../../../state/group-permissions.js'
import { namedGroups } from '../../../state/holders.js'
import { withSubgroups } from '../../../state/permissions.js'
import { type Chat, useChat } from '../../chat.js'
import { useView } from '../../view.js'

/** The groups that people made, each with its subgroups below it; one in several groups is there several times. */
export function GroupTree(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const groups = createMemo(() => namedGroups(chat.state))
  const roots = createMemo(() => {
    const inner = new Set(groups().flatMap(group => group.direct_subgroup_ids))
    return groups().filter(({ id }) => !inner.has(id))
  })
  return (
    <>
      <Show when={mayCreateGroups(chat.state)}>
        <p>
          <button type="button" class="button" onClick={() => view.open({ group: 'new' })}>
            {t('userGroups.create')}
          </button>
        </p>
      </Show>
      <Show when={groups().length > 0} fallback={<p class="quiet">{t('userGroups.none')}</p>}>
        <Branches groups={roots()} label={st('sections.groups')} />
      </Show>
    </>
  )
}

/** Subgroups never contain a group that contains them: the server refuses it. */
function Branches(props: { groups: readonly UserGroup[]; label?: string }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const subgroupsOf = (group: UserGroup) =>
    namedGroups(chat.state).filter(({ id }) => group.direct_subgroup_ids.includes(id))
  return (
    <ul class="choices tree" aria-label={props.label}>
      <For each={props.groups}>
        {group => (
          <li>
            <button
              type="button"
              class="choice-main"
              aria-haspopup="dialog"
              onClick={() => view.open({ group: group.id })}
            >
              <span class="group-sign">@</span>
              <span class="choice-words">
                <strong dir="auto">{group.name}</strong>
                <small dir="auto">
                  {[t('userGroups.members', countMembers(chat, group.id)), group.description]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </span>
            </button>
            <Show when={subgroupsOf(group).length > 0}>
              <Branches groups={subgroupsOf(group)} />
            </Show>
          </li>
        )}
      </For>
    </ul>
  )
}

/** The people of a group and of its subgroups, each once. */
function countMembers({ state }: Chat, groupId: number): number {
  const ids = new Set<number>()
  // Each list is watched as a whole, because watching each of ten thousand members would cost more than counting them.
  for (const { members } of withSubgroups(state, groupId)) for (const id of unwrap(members)) ids.add(id)
  return ids.size
}
