<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.12.0" name="dungeon" tilewidth="16" tileheight="16" tilecount="8" columns="8">
 <image source="tiles.png" width="128" height="16"/>
 <tile id="1" type="Wall">
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16"/>
  </objectgroup>
 </tile>
 <tile id="2" type="Wall">
  <objectgroup draworder="index" id="2">
   <object id="1" x="16" y="0">
    <polygon points="0,0 0,16 -16,16"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="3" type="Wall">
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16">
    <ellipse/>
   </object>
  </objectgroup>
 </tile>
 <tile id="4" type="Pit"/>
 <tile id="5" type="Wall">
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="8" width="16" height="8"/>
  </objectgroup>
 </tile>
 <tile id="6" type="Wall">
  <objectgroup draworder="index" id="2">
   <object id="1" x="2" y="2" width="12" height="12">
    <ellipse/>
   </object>
  </objectgroup>
 </tile>
</tileset>
