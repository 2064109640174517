// The fonts of the reader's system: there is nothing to load.
import theme from 'vitepress/theme-without-fonts'
// Behind the theme, whose colours it changes.
import './style.css'

export default theme
