import { createEffect, createRoot, type JSX, Show } from 'solid-js'
import { type GroupSettingValue, sameSettingValue } from '../../../../shared/resources/group-setting-value.js'
import { type RealmPermission, realmPermissions } from '../../../../shared/resources/permission-settings.js'
import { st } from '../../language/settings-language.js'
import { holdersTitle } from '../../state/holders.js'
import { type Chat, useChat } from '../chat.js'
import { Permission, type Permissions } from '../dialogs/holders/permission-list.js'
import type { Row, SettingName } from './rows.js'
import { mayChange } from './setting-value.js'

const eventWithinMs = 10_000

/** A permission that the page shows. */
type Shown = RealmPermission & SettingName

/** Who holds a permission of the organization. */
export function Holders(props: { row: Row }): JSX.Element {
  const chat = useChat()
  const name = () => props.row.name as Shown
  const permissions = organizationPermissions(chat)
  return (
    <Show
      when={mayChange(chat, props.row)}
      fallback={
        <div class="field">
          <span>{permissions.title(name())}</span>
          <span class="held">{holdersTitle(chat.state, permissions.value(name()))}</span>
        </div>
      }
    >
      <Permission of={permissions} name={name()} />
    </Show>
  )
}

function organizationPermissions({ state, change }: Chat): Permissions<Shown> {
  const values = state as unknown as Record<string, GroupSettingValue>
  const value = (name: Shown) => values[`realm_${name}`] as GroupSettingValue
  return {
    rules: realmPermissions,
    path: '/realm',
    title: name => st(`rows.${name}`),
    value,
    show: (name, wanted) => change(present => Object.assign(present, { [`realm_${name}`]: wanted })),
    // The event with it is under way.
    fetch: (name, old) =>
      new Promise(resolve => {
        createRoot(end => {
          const finish = () => {
            clearTimeout(timer)
            end()
            resolve(value(name))
          }
          const timer = setTimeout(finish, eventWithinMs)
          createEffect(() => {
            if (!sameSettingValue(value(name), old)) finish()
          })
        })
      }),
  }
}
