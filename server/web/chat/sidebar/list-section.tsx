import type { JSX } from 'solid-js'
import { Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { IconButton } from '../../look/icon-button.js'
import type { Section } from '../../state/sections.js'
import { collapse } from '../arranging.js'
import { useChat } from '../chat.js'
import { menuByPointer, menuByPress } from '../context-menu.js'
import { sectionName } from '../names.js'
import { useView } from '../view.js'
import { Count } from './count.js'
import { useListing } from './listing.js'

interface ListSectionProps {
  readonly section: Section
  /** Shown at the heading while the rows are not. */
  readonly unread: number
  /** Buttons of the heading. */
  readonly tools: JSX.Element
  /** The rows. */
  readonly children: JSX.Element
}

/** A section of the sidebar: its heading, which collapses it and has a menu, and its rows. */
export function ListSection(props: ListSectionProps): JSX.Element {
  const chat = useChat()
  const view = useView()
  const listing = useListing()
  const id = () => `section-${props.section.replace(':', '-')}`
  const isCollapsed = () => listing.isCollapsed(props.section)
  const name = () => sectionName(chat.state, props.section)
  const hasCount = () => isCollapsed() && chat.state.user_settings.web_left_sidebar_unreads_count_summary
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div role="group" class="list-section" data-section={props.section} aria-labelledby={id()}>
      <div class="rows-head" draggable={true}>
        <h2 id={id()}>
          <button
            type="button"
            class="section-toggle"
            tabIndex={-1}
            aria-expanded={!isCollapsed()}
            onClick={() => void collapse(chat, props.section, !isCollapsed())}
            onPointerDown={event => menuByPress(view, { section: props.section }, event)}
            onContextMenu={event => menuByPointer(view, { section: props.section }, event)}
          >
            <Icon name="forth" size={13} />
            <span class="row-name" dir="auto">
              {name()}
            </span>
          </button>
        </h2>
        <Show when={hasCount()}>
          <Count of={props.unread} />
        </Show>
        <IconButton
          icon="more"
          size={16}
          label={t('sidebar.menu', name())}
          title={t('feed.more')}
          class="small section-more"
          opens="menu"
          isWalked
          work={({ currentTarget: opener }) => {
            const { left, bottom } = opener.getBoundingClientRect()
            view.openContextMenu({ section: props.section, x: left, y: bottom, opener })
          }}
        />
        {props.tools}
      </div>
      <ul class="rows">{props.children}</ul>
    </div>
  )
}
