import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { GroupSettingValue } from '../../../../../shared/resources/group-setting-value.js'
import type { PermissionSetting } from '../../../../../shared/resources/permission-settings.js'
import { t } from '../../../language/language.js'
import { Icon } from '../../../look/icon.js'
import { groupTitle, holderChoices, holderName, holdersOf } from '../../../state/holders.js'
import { useChat } from '../../chat.js'
import { HolderSign } from './holder-sign.js'
import './holders.css'

interface PresentHoldersProps {
  readonly title: string
  readonly rule: PermissionSetting
  readonly value: GroupSettingValue
  /** False: the value is as it was. */
  change(wanted: GroupSettingValue): Promise<boolean>
  edit(): void
  opener(element: HTMLButtonElement): void
}

/** The holders of a permission: a single group can be exchanged for another one at once, everything else is edited. */
export function PresentHolders(props: PresentHoldersProps): JSX.Element {
  const chat = useChat()
  const id = createUniqueId()
  const choices = () => holderChoices(chat.state, props.rule)
  const isGroup = () => choices().some(group => group.id === props.value)
  const choose = async (element: HTMLSelectElement) => {
    if (!(await props.change(Number(element.value)))) element.value = String(props.value)
  }
  return (
    <div class="field">
      <Show when={isGroup()} fallback={<span id={`${id}-title`}>{props.title}</span>}>
        <label for={id}>{props.title}</label>
      </Show>
      <div class="holders-bar">
        <Show
          when={isGroup()}
          fallback={
            <ul class="holders input" aria-labelledby={`${id}-title`}>
              <For each={holdersOf(chat.state, props.value)} fallback={<li>{t('groups.none')}</li>}>
                {holder => (
                  <li class="chip">
                    <HolderSign holder={holder} />
                    <bdi>{holderName(chat.state, holder)}</bdi>
                  </li>
                )}
              </For>
            </ul>
          }
        >
          <select class="input" id={id} onChange={event => void choose(event.currentTarget)}>
            <For each={choices()}>
              {group => (
                <option value={group.id} selected={group.id === props.value}>
                  {groupTitle(group)}
                </option>
              )}
            </For>
          </select>
        </Show>
        <button
          type="button"
          class="icon-button"
          aria-label={t('holders.change', props.title)}
          title={t('holders.change', props.title)}
          ref={element => props.opener(element)}
          onClick={() => props.edit()}
        >
          <Icon name="edit" />
        </button>
      </div>
    </div>
  )
}
