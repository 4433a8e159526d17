package site

// Shape is what names of files of a site match.
var Shape = ofSite.String()
