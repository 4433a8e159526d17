package site

// Shape is a pattern of the names of a site's files.
var Shape = ofSite.String()
