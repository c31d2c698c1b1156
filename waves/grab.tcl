# Run by scripts/wave-picture inside GTKWave: saves what the window shows and leaves.
set picture $env(ANNELID_WAVE_PICTURE)
# "rows N": how many of the save file's rows GTKWave found in the waveform.
puts "rows [gtkwave::getTotalNumTraces]"
if {[info exists env(ANNELID_WAVE_FROM)]} {
  gtkwave::setWindowStartTime $env(ANNELID_WAVE_FROM)
}
gtkwave::/File/Grab_To_File $picture
gtkwave::/File/Quit
