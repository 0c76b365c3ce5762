import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { st } from '../../language/settings-language.js'
import { IconButton } from '../../look/icon-button.js'
import { SureButton } from '../../look/sure-button.js'
import { useChat } from '../chat.js'
import { useSaving } from '../dialogs/saving.js'
import { Entry } from './entry.js'
import { EntryForm } from './entry-form.js'
import type { Listed, Request, Written } from './listed.js'

/** A list of the organization: with forms for users who may change it, for all others to read. */
export function ListEditor<Item>(props: { list: Listed<Item> }): JSX.Element {
  const chat = useChat()
  // By id, so that an event replaces no entry whose form is open.
  const ids = createMemo(() => props.list.items(chat.state).map(props.list.idOf))
  const mayChange = () => props.list.mayChange(chat.state)
  const itemOf = (id: string | number) => props.list.items(chat.state).find(item => props.list.idOf(item) === id)
  return (
    <>
      <Show when={!mayChange()}>
        <p class="notice">{props.list.onlyOwners ? st('frame.onlyOwnersRead') : st('frame.onlyRead')}</p>
      </Show>
      <ul class="entries">
        <For each={ids()} fallback={<li class="quiet">{st(`lists.${props.list.id}.none`)}</li>}>
          {(id, at) => (
            <li>
              <Entry name={String(id)}>
                <Show when={itemOf(id)}>
                  {item => <ListEntry list={props.list} item={item()} ids={ids()} at={at()} mayChange={mayChange()} />}
                </Show>
              </Entry>
            </li>
          )}
        </For>
      </ul>
      <Show when={mayChange()}>
        <Entry>
          <Adding list={props.list} />
        </Entry>
      </Show>
    </>
  )
}

interface ListEntryProps<Item> {
  readonly list: Listed<Item>
  readonly item: Item
  readonly ids: readonly (string | number)[]
  readonly at: number
  readonly mayChange: boolean
}

function ListEntry<Item>(props: ListEntryProps<Item>): JSX.Element {
  const chat = useChat()
  const saving = useSaving()
  const [isOpen, setOpen] = createSignal(false)
  let opener: HTMLButtonElement | undefined
  const title = () => props.list.titleOf(props.item, chat.state)
  const send = ([method, path, params = {}]: Request) => saving.save(method, path, params)
  const close = () => {
    setOpen(false)
    opener?.focus()
  }
  const change = async (written: Written) => {
    for (const request of props.list.change?.(props.item, written, chat.state) ?? [])
      if (!(await send(request))) return false
    close()
    return true
  }
  const move = (by: 1 | -1) => {
    const ids = [...props.ids]
    const [moved] = ids.splice(props.at, 1)
    if (moved === undefined) return
    ids.splice(props.at + by, 0, moved)
    const request = props.list.order?.(ids, chat.state)
    if (request) void send(request)
  }
  return (
    <>
      <div class="listed">
        <span class="choice-words">
          <strong dir="auto">{title()}</strong>
          <small dir="auto">{props.list.detailOf?.(props.item, chat.state)}</small>
        </span>
        <Show when={props.mayChange}>
          <span class="listed-tools">
            <Show when={props.list.order}>
              <IconButton
                icon="up"
                label={st('frame.moveUp', title())}
                isDisabled={props.at === 0}
                work={() => move(-1)}
              />
              <IconButton
                icon="down"
                label={st('frame.moveDown', title())}
                isDisabled={props.at === props.ids.length - 1}
                work={() => move(1)}
              />
            </Show>
            <Show when={props.list.change}>
              <button
                type="button"
                class="button"
                aria-label={st('frame.edit', title())}
                aria-expanded={isOpen()}
                ref={opener}
                onClick={() => setOpen(!isOpen())}
              >
                {st('frame.editShort')}
              </button>
            </Show>
            <SureButton
              title={props.list.removeTitle ? st(props.list.removeTitle) : t('words.remove')}
              label={st('frame.remove', title())}
              sureTitle={st('frame.reallyRemove')}
              work={() => send(props.list.remove(props.item))}
            />
          </span>
        </Show>
      </div>
      <Show when={isOpen()}>
        <EntryForm
          label={st('frame.edit', title())}
          submit={t('words.save')}
          fields={props.list.fields.filter(field => !field.isFixed)}
          written={props.list.written?.(props.item) ?? {}}
          save={change}
          cancel={close}
        />
      </Show>
    </>
  )
}

function Adding<Item>(props: { list: Listed<Item> }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const [isOpen, setOpen] = createSignal(false)
  let opener: HTMLButtonElement | undefined
  const title = () => st(`lists.${props.list.id}.add`)
  const close = () => {
    setOpen(false)
    opener?.focus()
  }
  const add = async (written: Written) => {
    const [method, path, params = {}] = props.list.add(written, chat.state)
    const isDone = await save(method, path, params)
    if (isDone) close()
    return isDone
  }
  return (
    <Show
      when={isOpen()}
      fallback={
        <p>
          <button type="button" class="button" ref={opener} onClick={() => setOpen(true)}>
            {title()}
          </button>
        </p>
      }
    >
      <EntryForm
        label={title()}
        submit={t('words.save')}
        fields={props.list.fields}
        written={props.list.start ?? {}}
        save={add}
        cancel={close}
      />
    </Show>
  )
}
