import { createSignal, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import type { RequestError } from '../../../../../shared/client/index.js'
import { type GroupSettingValue, sameSettingValue } from '../../../../../shared/resources/group-setting-value.js'
import type { PermissionSetting } from '../../../../../shared/resources/permission-settings.js'
import { t } from '../../../language/language.js'
import { holdersTitle } from '../../../state/holders.js'
import { useChat } from '../../chat.js'
import { Fact } from '../fact.js'
import { useSaving } from '../saving.js'
import { HolderEditor } from './holder-editor.js'
import { PresentHolders } from './present-holders.js'

/** The permissions of the organization, of a channel or of a group. */
export interface Permissions<Name extends string> {
  readonly rules: Readonly<Record<Name, PermissionSetting>>
  /** Of the operation that changes them. */
  readonly path: string
  title(name: Name): string
  value(name: Name): GroupSettingValue
  /** Puts a value into the state of the page. */
  show(name: Name, value: GroupSettingValue): void
  /** The present value, which is no longer this one. */
  fetch(name: Name, old: GroupSettingValue): Promise<GroupSettingValue>
}

interface PermissionListProps<Name extends string> extends Permissions<Name> {
  /** In the order in which they are shown. */
  readonly names: readonly Name[]
  readonly mayChange: boolean
}

/** Who may do what: with choices for users who may change it, for all others to read. */
export function PermissionList<Name extends string>(props: PermissionListProps<Name>): JSX.Element {
  const chat = useChat()
  return (
    <Show
      when={props.mayChange}
      fallback={
        <dl class="facts">
          <For each={props.names}>
            {name => <Fact name={props.title(name)}>{holdersTitle(chat.state, props.value(name))}</Fact>}
          </For>
        </dl>
      }
    >
      <p class="quiet">{t('channel.alsoOrganization')}</p>
      <For each={props.names}>{name => <Permission of={props} name={name} />}</For>
    </Show>
  )
}

/** The holders of a permission, with a choice of others. */
export function Permission<Name extends string>(props: { of: Permissions<Name>; name: Name }): JSX.Element {
  // Each object opens a new editor, which begins with its value.
  const [edited, setEdited] = createSignal<{ readonly from: GroupSettingValue }>()
  let opener: HTMLButtonElement | undefined
  const title = () => props.of.title(props.name)
  const value = () => props.of.value(props.name)
  const rule = () => props.of.rules[props.name]
  const edit = () => setEdited({ from: unwrap(value()) })
  const close = () => {
    setEdited(undefined)
    opener?.focus()
  }
  const change = usePermissionChange(props.of, props.name, () => edited() && edit())
  return (
    <Show
      when={edited()}
      keyed
      fallback={
        <PresentHolders
          title={title()}
          rule={rule()}
          value={value()}
          change={wanted => change(wanted, value())}
          edit={edit}
          opener={element => {
            opener = element
          }}
        />
      }
    >
      {({ from }) => (
        <HolderEditor
          title={title()}
          rule={rule()}
          from={from}
          save={async wanted => {
            if (await change(wanted, from)) close()
          }}
          cancel={close}
        />
      )}
    </Show>
  )
}

/**
 * Changes a permission from the value that the user has seen; false if the server refused it. `reloaded` runs when another user has changed it
 * meanwhile, and the page has the present value.
 */
function usePermissionChange<Name extends string>(of: Permissions<Name>, name: Name, reloaded: () => unknown) {
  const chat = useChat()
  const { run } = useSaving()
  const reload = async (old: GroupSettingValue): Promise<GroupSettingValue> => {
    const present = await of.fetch(name, old)
    of.show(name, present)
    return present
  }
  return (wanted: GroupSettingValue, old: GroupSettingValue): Promise<boolean> =>
    run(async () => {
      try {
        await chat.ask('PATCH', of.path, { [name]: { new: wanted, old } })
        // The event with the value may come later than the answer, and until then the next change would begin with an old one.
        of.show(name, wanted)
      } catch (failure) {
        if ((failure as RequestError).code !== 'EXPECTATION_MISMATCH') throw failure
        // An earlier request may have made this change, and its answer was lost.
        if (sameSettingValue(await reload(old), wanted)) return
        reloaded()
        throw new Error(t('holders.changedMeanwhile'))
      }
    })
}
