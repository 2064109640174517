import type { Plugin } from 'vite'

const caret = /\n +role="button"\n +aria-label="toggle section"\n([^>]*\n) +tabindex="0"\n/

/**
 * The title of a group in the sidebar is a button that opens it. The arrow in it does nothing by itself, but the theme
 * makes it a button as well, one within the other: here it is a picture.
 */
export const withoutNestedButtons: Plugin = {
  name: 'without-nested-buttons',
  enforce: 'pre',
  transform(code, id) {
    if (!/VPSidebarItem\.vue$/.test(id)) return null
    if (!caret.test(code)) throw new Error('VPSidebarItem.vue of vitepress has no arrow that is a button any more.')
    return code.replace(caret, '\n        aria-hidden="true"\n$1')
  },
}
